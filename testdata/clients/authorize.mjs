// Loaded into the conformance suite, which has no way to send a token: adds it to every request to our server, and
// nothing else. fetch of node and the suite's own undici both ask the global dispatcher.
//   node --import testdata/clients/authorize.mjs conformance/dist/index.js …   with URL and TOKEN in the environment
import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';
import { join } from 'node:path';

const from = createRequire(join(process.env.SUITE, 'index.js'));
const { Agent, setGlobalDispatcher } = await import(pathToFileURL(from.resolve('undici')));
const origin = new URL(process.env.URL_OF_SERVER).origin;

setGlobalDispatcher(new Agent().compose((dispatch) => (options, handler) => {
  if (String(options.origin).replace(/\/$/, '') === origin) {
    const headers = options.headers ?? [];
    const more = { Authorization: `Bearer ${process.env.TOKEN}` };
    options = { ...options, headers: Array.isArray(headers) ? [...headers, ...Object.entries(more).flat()] : { ...headers, ...more } };
  }
  return dispatch(options, handler);
}));
