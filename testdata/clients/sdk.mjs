// A client of the official TypeScript SDK (v1) that calls every tool and wants the answers that the person in
// .ci/clients gives. CHAT, DROPPED and LONG_OVER are files whose making tells that person something.
//   node sdk.mjs stdio CHOICETUI QUEUE
//   node sdk.mjs http URL TOKEN
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import net from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';

const from = createRequire(join(process.env.PACKAGES, 'index.js'));
const sdk = (path) => import(pathToFileURL(from.resolve(`@modelcontextprotocol/sdk/${path}`)));
const { Client } = await sdk('client/index.js');
const { StdioClientTransport } = await sdk('client/stdio.js');
const { StreamableHTTPClientTransport } = await sdk('client/streamableHttp.js');

const [kind, where, extra] = process.argv.slice(2);
const lost = [];

const token = { Authorization: `Bearer ${extra}` };

function transport() {
  if (kind === 'stdio') return new StdioClientTransport({ command: where, args: ['--queue', extra, 'mcp'] });
  return new StreamableHTTPClientTransport(new URL(where), { requestInit: { headers: token } });
}

const client = new Client({ name: 'claude-code', version: '0' }); // a client whose waits have no soft limit
client.onerror = (error) => lost.push(String(error));
await client.connect(transport());

const options = [
  { id: 'pg', label: 'PostgreSQL', description: 'one more service', recommended: true },
  { id: 'lite', label: 'SQLite', description: 'one file' },
];
let progress = 0;

async function call(name, args) {
  const result = await client.callTool({ name, arguments: args }, undefined,
    { timeout: 120_000, resetTimeoutOnProgress: true, onprogress: () => { progress++; } });
  assert.equal(result.isError ?? false, false, JSON.stringify(result));
  assert.ok(result.content[0].text, 'some clients show the text only');
  return { text: result.content[0].text, ...result.structuredContent };
}

function said(tool, answer) {
  console.log(`ok   sdk ${kind.padEnd(5)} ${tool.padEnd(18)} ${answer}`);
}

const { tools } = await client.listTools(); // from here on the SDK checks every structuredContent against its schema
const names = tools.map((t) => t.name).sort();
for (const t of tools) assert.ok(t.description && t.inputSchema && t.outputSchema && t.annotations.readOnlyHint, t.name);
said('tools/list', names.join(' '));

const called = new Set();
async function each(tool, answer) {
  assert.ok(names.includes(tool), `${tool} is not offered`);
  called.add(tool);
  said(tool, await answer());
}

await each('provide_choice', async () => {
  const r = await call('provide_choice', { title: 'Second one', prompt: 'Which store?', selection_mode: 'single', options });
  assert.equal(r.action_status, 'selected');
  assert.deepEqual(r.selection.selected_ids, ['lite']);
  return r.selection.selected_ids.join();
});
await each('requestUserChoice', async () => {
  const r = await call('requestUserChoice', { question: 'First one', options: [
    { title: 'Keep the old name', description: 'nothing breaks', isRecommended: true }, { title: 'Rename it', description: 'callers change' }] });
  assert.equal(r.text, 'Keep the old name');
  return r.text;
});
await each('hitl_request', async () => {
  const r = await call('hitl_request', { question: 'Confirm one', options: ['Deploy now', 'Wait'], requireConfirmation: true, confirmationMessage: 'This goes live.' });
  assert.equal(r.status, 'confirmed');
  assert.equal(r.selectedOption, 'Deploy now');
  assert.equal(r.source, 'user');
  return `${r.selectedOption}, ${r.status}`;
});
await each('ask_user_question', async () => {
  const r = await call('ask_user_question', { questions: [
    { question: 'Two of them: which store?', header: 'Store', multiSelect: false, options: [{ label: 'PostgreSQL', description: 'a service' }, { label: 'SQLite', description: 'a file' }] },
    { question: 'Which cache?', header: 'Cache', multiSelect: false, options: [{ label: 'None', description: 'simple' }, { label: 'Redis', description: 'fast' }] }] });
  assert.deepEqual(Object.keys(r.answers).sort(), ['Two of them: which store?', 'Which cache?']);
  return JSON.stringify(r.answers);
});
await each('poll_selection', async () => {
  const asked = await call('provide_choice', { title: 'Handed off', prompt: 'Which store?', selection_mode: 'single', options, transport: 'terminal' });
  assert.equal(asked.action_status, 'pending_terminal_launch');
  const r = await call('poll_selection', { session_id: asked.session_id, wait_seconds: 60 });
  assert.equal(r.action_status, 'selected');
  assert.deepEqual(r.selection.selected_ids, ['pg']);
  return `${asked.action_status} → ${r.selection.selected_ids.join()}`;
});
await each('next_message', async () => {
  writeFileSync(process.env.CHAT, '');
  const r = await call('next_message', { wait_seconds: 60 });
  assert.match(r.text, /use the small one/);
  return JSON.stringify(r.text);
});
await each('submit_summary', async () => { // the person of .ci/clients asks no team: the tool says so, as its schema has it
  const r = await client.callTool({ name: 'submit_summary', arguments: {
    session_id: 'k7f3m2qx', candidate_summary: 'They want SQLite.', candidate_answer: 'SQLite', source_hint: 'slack_extraction' } });
  assert.equal(r.isError, true);
  assert.equal(r.structuredContent.error, 'not_found');
  return r.structuredContent.error;
});

assert.deepEqual(names.filter((n) => !called.has(n)), [], 'every tool is called');
assert.ok(progress > 0, 'progress arrived');
if (kind === 'http') {
  await broken();
  if (process.env.LONG) await long();
  await client.transport.terminateSession();
}
await client.close();
assert.deepEqual(lost, [], 'the SDK complained');

// A connection that breaks while the person thinks: the call is lost, its question is not. The same ask again goes on
// with it, and gets its answer.
async function broken() {
  const { hostname, port, host } = new URL(where);
  const open = new Set();
  const relay = net.createServer((socket) => {
    const on = net.connect(Number(port), hostname);
    for (const s of [socket, on]) {
      open.add(s);
      s.on('error', () => {}).on('close', () => { open.delete(s); socket.destroy(); on.destroy(); });
    }
    socket.on('data', (d) => on.write(d.toString('latin1').replace(/^host: .*$/im, `Host: ${host}`), 'latin1'));
    on.pipe(socket);
  });
  await new Promise((listening) => relay.listen(0, '127.0.0.1', listening));
  const other = new Client({ name: 'claude-code', version: '0' });
  const noted = [];
  other.onerror = (error) => noted.push(String(error));
  await other.connect(new StreamableHTTPClientTransport(new URL(`http://127.0.0.1:${relay.address().port}/mcp`), { requestInit: { headers: token } }));
  const ask = { name: 'provide_choice', arguments: { title: 'Dropped one', prompt: 'Which store?', selection_mode: 'single', options } };
  const first = other.callTool(ask, undefined, { timeout: 3000 }).then(() => 'answered', (error) => String(error));
  await sleep(700);
  for (const s of open) s.destroy();
  assert.match(await first, /timed out/, 'the SDK waits for what does not come any more');
  assert.ok(noted.some((e) => e.includes('disconnected')), `the connection broke: ${noted}`);
  const again = other.callTool(ask);
  writeFileSync(process.env.DROPPED, '');
  const r = await again;
  assert.deepEqual(r.structuredContent.selection.selected_ids, ['pg']);
  assert.match(JSON.stringify(r), /the same question of .* is still open/, 'nobody was asked twice');
  await other.transport.terminateSession();
  await other.close();
  relay.close();
  said('a broken connection', `joined, ${r.structuredContent.selection.selected_ids.join()}`);
}

// Node ends a response that is silent for 300 s, whatever the timeout of the call. No token, so no progress either.
async function long() {
  setTimeout(() => writeFileSync(process.env.LONG_OVER, ''), 310_000);
  const begun = Date.now();
  const r = await client.callTool({ name: 'provide_choice', arguments: { title: 'Long one', prompt: 'Which store?', selection_mode: 'single', options, timeout_seconds: 900 } }, undefined, { timeout: 500_000 });
  assert.deepEqual(r.structuredContent.selection.selected_ids, ['pg']);
  assert.ok(Date.now() - begun > 305_000);
  said('a long silence', `${Math.round((Date.now() - begun) / 1000)} s, ${r.structuredContent.selection.selected_ids.join()}`);
}
