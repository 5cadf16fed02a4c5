# The command line and its stages, with what is shipped and nothing else.
FROM node:20-slim AS package
WORKDIR /source
COPY . .
RUN npm ci && npm pack --pack-destination /package

FROM node:20-slim
COPY --from=package /package /package
RUN npm install --global /package/*.tgz && mkdir /data && chown node:node /data
USER node
# One SQLite file, on a volume of one machine: never on a network file system.
ENV WARRANT_LOG=/data/log.db
WORKDIR /data
VOLUME /data
ENTRYPOINT ["warrant"]
CMD ["up"]
