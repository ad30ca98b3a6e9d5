/** Sockets behind proxies that cut silent connections. */
import { assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { denoSockets } from "../../../src/sockets/mod.ts";
import { freePort } from "../../support/free_port.ts";
import { createApp, optionsFor } from "../../support/sockets/app.ts";
import { connectRaw } from "../../support/sockets/raw_client.ts";
import { type Proxy, startProxy } from "./proxies.ts";

/** They cut a connection after three seconds of silence. */
const PROXIES: readonly Proxy[] = [
  {
    name: "HAProxy",
    package: "haproxy",
    configure: (port, upstream) => `
defaults
  mode http
  timeout connect 3s
  timeout client 3s
  timeout server 3s
frontend front
  bind 127.0.0.1:${port}
  default_backend back
backend back
  server one 127.0.0.1:${upstream}
`,
    command: (file) => ["/usr/sbin/haproxy", "-db", "-f", file],
  },
  {
    name: "nginx",
    package: "nginx-light",
    configure: (port, upstream, directory) => `
daemon off; master_process off; pid ${directory}/pid; error_log ${directory}/log crit;
events { worker_connections 256; }
http {
  access_log off;
  client_body_temp_path ${directory}/b; proxy_temp_path ${directory}/p; fastcgi_temp_path ${directory}/f;
  uwsgi_temp_path ${directory}/u; scgi_temp_path ${directory}/s;
  server {
    listen 127.0.0.1:${port};
    location / {
      proxy_pass http://127.0.0.1:${upstream};
      proxy_http_version 1.1;
      proxy_set_header Host $http_host;
      proxy_set_header Upgrade $http_upgrade;
      proxy_set_header Connection upgrade;
      proxy_read_timeout 3s;
    }
  }
}`,
    command: (file, directory) => ["/usr/sbin/nginx", "-p", directory, "-c", file],
  },
];

/** Serves the app with sockets that send no ping in the time of this test. */
function serve(heartbeat: number): Deno.HttpServer<Deno.NetAddr> {
  const { app, onError } = createApp();
  const sockets = denoSockets({ ...optionsFor(onError), patience: 900, heartbeat });
  return Deno.serve(
    { hostname: "127.0.0.1", port: 0, onListen() {} },
    (request) => app.fetch(request, sockets),
  );
}

for (const proxy of PROXIES) {
  const [program] = proxy.command("", "", 0);
  const isInstalled = await Deno.stat(program).then(() => true, () => false);
  (isInstalled ? describe : describe.skip)(`a quiet socket behind ${proxy.name}`, () => {
    it("is kept by heartbeats, and cut without them", async () => {
      const [beating, silent] = [serve(1), serve(900)];
      const front = await startProxy(proxy, beating.addr.port, freePort());
      const other = await startProxy(proxy, silent.addr.port, freePort());
      using kept = await connectRaw(`http://127.0.0.1:${front.port}`, "/rooms/kept");
      assertEquals(kept.status, 101);
      // As long as it takes to cut two sockets without heartbeats.
      for (const id of ["first", "second"]) {
        using cut = await connectRaw(`http://127.0.0.1:${other.port}`, `/rooms/${id}`);
        assertEquals(cut.status, 101);
        assertEquals(await cut.next(), undefined);
      }
      await kept.send(1, '{"name":"say","data":{"text":"Ada"}}');
      assertEquals((await kept.next())?.text, '{"name":"said","data":{"text":"Ada"}}');
      kept.connection.close();
      await Promise.all([front.stop(), other.stop(), beating.shutdown(), silent.shutdown()]);
    });
  });
}
