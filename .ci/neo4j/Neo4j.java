// Neo4j for tests, in one process that no one has to install: `java -cp 'lib/*' Neo4j.java FOLDER PORT`.
// The first line it is given is the password; it ends when its input does, so that none is left over.
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.nio.file.Path;
import java.util.Map;
import org.neo4j.configuration.GraphDatabaseSettings;
import org.neo4j.configuration.connectors.BoltConnector;
import org.neo4j.configuration.helpers.SocketAddress;
import org.neo4j.dbms.api.DatabaseManagementServiceBuilder;
import org.neo4j.io.ByteUnit;

class Neo4j {
  public static void main(String[] parameters) throws Exception {
    var input = new BufferedReader(new InputStreamReader(System.in));
    var password = input.readLine();
    var address = new SocketAddress("127.0.0.1", Integer.parseInt(parameters[1]));
    var server = new DatabaseManagementServiceBuilder(Path.of(parameters[0]))
        .setConfig(GraphDatabaseSettings.auth_enabled, true)
        .setConfig(BoltConnector.enabled, true)
        .setConfig(BoltConnector.listen_address, address)
        .setConfig(GraphDatabaseSettings.pagecache_memory, ByteUnit.mebiBytes(64))
        .setConfig(GraphDatabaseSettings.preallocate_logical_logs, false)
        .setConfig(GraphDatabaseSettings.udc_enabled, false)
        .build();
    // Until here the password is the one that everybody knows, and good for nothing but changing it.
    server.database("system").executeTransactionally(
        "ALTER USER neo4j SET PASSWORD $password CHANGE NOT REQUIRED", Map.of("password", password));
    System.out.println("ready");
    while (input.readLine() != null) {}
    // As a power failure would end it: what was committed is there again at the next start.
    Runtime.getRuntime().halt(0);
  }
}
