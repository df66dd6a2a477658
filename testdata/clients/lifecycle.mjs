// A client of the official TypeScript SDK that ends its calls in every way there is, and looks at what became of each
// question. The person is `choicetui answer` and `choicetui cancel`; a dashboard has to be open, and nobody at it.
//   node lifecycle.mjs v1|v2 2025-11-25|2026-07-28 stdio CHOICETUI
//   node lifecycle.mjs v1|v2 2025-11-25|2026-07-28 http CHOICETUI URL TOKEN
// The environment says where the queue is. A client named `ts-soft…` is expected to have a soft limit of 2 s.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';

const [version, protocol, kind, choicetui, url, token] = process.argv.slice(2);
const modern = protocol === '2026-07-28';
const withdrawsLate = modern && kind === 'http'; // closing the stream is all that a client says there
const { Client, Stdio, Http } = version === 'v1' ? await v1() : await v2();

async function v1() {
  const sdk = (path) => imported(`@modelcontextprotocol/sdk/dist/esm/client/${path}.js`);
  return {
    Client: (await sdk('index')).Client, Stdio: (await sdk('stdio')).StdioClientTransport,
    Http: (await sdk('streamableHttp')).StreamableHTTPClientTransport,
  };
}

async function v2() {
  const sdk = (path) => imported(`@modelcontextprotocol/client/dist/${path}.mjs`);
  const { Client, StreamableHTTPClientTransport } = await sdk('index');
  return { Client, Stdio: (await sdk('stdio')).StdioClientTransport, Http: StreamableHTTPClientTransport };
}

function imported(path) { return import(pathToFileURL(join(process.env.PACKAGES, path))); }

// A client, with its calls as the SDK's generation writes them.
async function connect(name) {
  const client = new Client({ name, version: '0' }, modern ? { versionNegotiation: { mode: 'auto' } } : {});
  const transport = kind === 'stdio'
    ? new Stdio({ command: choicetui, args: ['mcp'], env: process.env })
    : new Http(new URL(url), { requestInit: { headers: { Authorization: `Bearer ${token}` } } });
  await client.connect(transport);
  const spoken = client.getNegotiatedProtocolVersion?.() ?? transport.protocolVersion ?? transport._protocolVersion;
  if (spoken !== undefined || modern) assert.equal(spoken, protocol); // v1 does not say over stdio
  await client.listTools(); // from here on the SDK checks every structuredContent against its schema
  const call = (name, args, how = {}) => {
    const request = [{ name, arguments: args }, { timeout: 60_000, ...how }];
    return version === 'v1' ? client.callTool(request[0], undefined, request[1]) : client.callTool(...request);
  };
  return { call, close: () => client.close(), end: () => transport.terminateSession() };
}

const run = promisify(execFile);
async function cli(...args) { return (await run(choicetui, args)).stdout; }
async function listed() { return JSON.parse(await cli('list', '--json')); }
async function shown(id) { return JSON.parse(await cli('show', id, '--json')); }

async function until(what, within, look) {
  for (const end = Date.now() + within; ;) {
    const found = await look();
    if (found) return found;
    assert.ok(Date.now() < end, `${what}: not within ${within} ms`);
    await sleep(50);
  }
}
const pending = (title) => until(`${title} is asked`, 8000, async () => (await listed()).find((s) => s.title === title));
const over = (id, within) => until(`${id} is over`, within, async () => {
  const s = await shown(id);
  return s.outcome && s;
});

function question(title, more = {}) {
  return {
    title, prompt: 'Which store?', selection_mode: 'single', ...more,
    options: [{ id: 'pg', label: 'PostgreSQL', recommended: true }, { id: 'lite', label: 'SQLite' }],
  };
}

function said(what, how) { console.log(`ok   ${version} ${protocol} ${kind.padEnd(5)} ${what.padEnd(28)} ${how}`); }

// both checks that the text says what the structure says, and returns the structure.
function both(result, words) {
  assert.match(result.content[0].text, words);
  assert.equal(result.isError ?? false, false, result.content[0].text);
  return result.structuredContent;
}

const client = await connect('ts-check');
await answered();
await endedByThePerson();
await endedByTheClock();
await refused();
await softLimit();
await Promise.all([aborted(), impatient()]);
if (kind === 'http' && !modern) await sessionEnded();
await answered(); // nothing of this broke the connection
await client.close();
await until('nothing is left', 3000, async () => (await listed()).length === 0);

async function answered() {
  const progress = [];
  const asked = client.call('provide_choice', question('Answered'), { onprogress: (p) => progress.push(p) });
  const { id } = await pending('Answered');
  await until('progress', 5000, () => progress.length);
  assert.match(progress[0].message, /Answered, \d+ s left/);
  await cli('answer', id, '--select', 'lite', '--comment', 'c');
  const r = both(await asked, /^The person answered: SQLite/);
  assert.equal(r.action_status, 'selected');
  assert.deepEqual(r.selection.selected_ids, ['lite']);
  assert.equal(r.selection.global_annotation, 'c');
  await until('its result counts as fetched', 3000, async () => (await shown(id)).final); // once it was written
  said('answered', `${r.selection.selected_ids.join()}, after progress`);
}

async function endedByThePerson() {
  const asked = client.call('provide_choice', question('Cancelled'));
  await cli('cancel', (await pending('Cancelled')).id, '--reason', 'not today');
  const r = both(await asked, /^Nothing was chosen: cancelled: not today/);
  assert.equal(r.action_status, 'cancelled');
  assert.equal(r.reason, 'not today');
  assert.deepEqual(r.selection.selected_ids, []);

  const choice = client.call('requestUserChoice', { question: 'Error', options: [{ title: 'Keep it' }, { title: 'Drop it' }] });
  await cli('cancel', (await pending('Error')).id);
  const failed = await choice;
  assert.equal(failed.isError, true);
  assert.match(failed.content[0].text, /^No choice was made: cancelled/);
  said('cancelled by the person', `${r.action_status}; requestUserChoice isError`);
}

async function endedByTheClock() {
  const r = both(await client.call('provide_choice', question('Late', { timeout_seconds: 1 })), /^Nobody answered in time/);
  assert.equal(r.action_status, 'timeout');
  const hitl = both(await client.call('hitl_request', { question: 'Late?', options: ['Do it'], timeoutMs: 1000 }), /^Nobody confirmed/);
  assert.deepEqual([hitl.ok, hitl.status, hitl.confirmed, hitl.selectedOption], [false, 'timeout', false, null]);
  said('timed out by the clock', `${r.action_status}; hitl_request ok: ${hitl.ok}`);
}

async function refused() {
  const r = await client.call('provide_choice', { title: '', options: 3 });
  assert.equal(r.isError, true);
  assert.equal(r.structuredContent.error, 'invalid_request');
  const paths = r.structuredContent.problems.map((p) => p.path);
  assert.deepEqual(paths.sort(), ['options', 'prompt', 'selection_mode', 'title'], 'all problems at once');
  for (const p of paths) assert.ok(r.content[0].text.includes(p), p);
  await assert.rejects(client.call('no_such_tool', {}), /-32602|no_such_tool/);
  assert.ok(!(await listed()).length, 'nobody was asked');
  said('refused', paths.join());
}

async function softLimit() {
  const soft = await connect('ts-soft');
  const r = both(await soft.call('provide_choice', question('Soft')), /^No answer yet/);
  assert.equal(r.action_status, 'pending_terminal_launch');
  await cli('answer', r.session_id, '--select', 'pg');
  const polled = both(await soft.call('poll_selection', { session_id: r.session_id, wait_seconds: 10 }), /PostgreSQL/);
  assert.deepEqual(polled.selection.selected_ids, ['pg']);
  await soft.close();
  said('a soft limit', `${r.action_status} → ${polled.selection.selected_ids.join()}`);
}

async function aborted() {
  const abort = new AbortController();
  const call = client.call('provide_choice', question('Aborted'), { signal: abort.signal }).then(() => 'answered', String);
  const { id } = await pending('Aborted');
  abort.abort('changed my mind');
  assert.match(await call, /changed my mind/);
  const began = Date.now();
  if (withdrawsLate) {
    await until('nobody waits', 3000, async () => (await listed()).find((s) => s.id === id)?.gone);
  }
  const { outcome } = await over(id, withdrawsLate ? 14_000 : 3000);
  assert.deepEqual([outcome.status, outcome.by], ['cancelled', 'caller']);
  if (withdrawsLate) assert.ok(Date.now() - began > 8000, 'the same ask could have come back');
  else assert.match(outcome.reason, /changed my mind/);
  said('aborted by the client', `withdrawn: ${outcome.reason}`);
}

// impatient gives up by the client's own time-out. That keeps the question, except where it cannot be told from a cancel.
async function impatient() {
  const failed = await client.call('provide_choice', question('Impatient'), { timeout: 1500 }).then(() => 'answered', String);
  assert.match(failed, /timed out/);
  const { id } = await until('nobody waits', 3000, async () => (await listed()).find((s) => s.title === 'Impatient' && s.gone));
  const again = client.call('provide_choice', question('Impatient'));
  await until('the same ask goes on', 5000, async () => !(await listed()).find((s) => s.id === id).gone);
  await sleep(withdrawsLate ? 11_000 : 1000);
  assert.equal((await listed()).filter((s) => s.title === 'Impatient').length, 1, 'nobody is asked twice');
  await cli('answer', id, '--select', 'pg');
  const r = both(await again, /the same question of .* is still open/);
  assert.deepEqual(r.selection.selected_ids, ['pg']);
  said('timed out by the client', 'kept, joined by the same ask');
}

// sessionEnded ends a session whose call waits: the call ends too, and at once; its question does not.
async function sessionEnded() {
  const other = await connect('ts-ends');
  const call = other.call('provide_choice', question('Ended')).then(() => 'answered', String);
  const { id } = await pending('Ended');
  await other.end();
  assert.match(await Promise.race([call, sleep(3000, 'still waiting')]), /nothing was chosen/);
  await other.close();
  assert.equal((await listed()).find((s) => s.id === id).gone, true);
  await cli('cancel', id);
  said('its session ended', 'an error, and the question stays');
}
