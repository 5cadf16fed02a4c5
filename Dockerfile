# The command line and its stages: what is shipped, with production dependencies from the lock file.
FROM node:20.20.2-bookworm-slim AS base
WORKDIR /opt/warrant
COPY package.json package-lock.json .npmrc ./

FROM base AS build
RUN npm ci --ignore-scripts
COPY extras extras
COPY tsconfig.json tsconfig.build.json bundle-chunks.ts bundle-command.ts pack.ts pack-licences.ts pack-types.ts ./
COPY schemas schemas
COPY shared shared
COPY services services
RUN npm run prepack

# No compiler and no script of a package runs here: drivers come prebuilt.
# Who installs the package adds what talks to NATS, Neo4j and collectors; the image has it all, at the
# versions of the lock file. It has no framework for agents: those are for programs.
FROM base AS dependencies
RUN wanted=$(node --print " \
    const { packages } = require('./package-lock.json'); \
    Object.keys(require('./package.json').peerDependencies) \
      .filter((name) => packages['node_modules/' + name] !== undefined) \
      .map((name) => name + '@' + packages['node_modules/' + name].version) \
      .join(' ')") \
  && npm pkg delete devDependencies peerDependencies peerDependenciesMeta \
  && npm install --no-save --ignore-scripts $wanted

FROM node:20.20.2-bookworm-slim
ENV NODE_ENV=production
WORKDIR /opt/warrant
COPY --from=dependencies /opt/warrant/node_modules node_modules
COPY --from=build /opt/warrant/dist dist
COPY package.json LICENSE ./
COPY schemas/generated schemas/generated
COPY seeds seeds
RUN ln -s /opt/warrant/dist/services/cli/main.js /usr/local/bin/warrant \
  && chmod +x dist/services/cli/main.js \
  && mkdir /data && chown node:node /data
USER node
WORKDIR /data
ENTRYPOINT ["warrant"]
CMD ["up", "--listen", "0.0.0.0:9464"]
# Whether the stages here follow the log and can take work. A command that serves nothing is started
# with `--no-healthcheck`.
HEALTHCHECK --interval=10s --timeout=3s --start-period=60s \
  CMD ["node", "--eval", "fetch('http://127.0.0.1:9464/readyz').then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
