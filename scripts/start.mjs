/**
 * `npm start`: installs and builds if necessary, then runs the server on the pinned Node. With `--prepare` it ends after
 * the build: an image of a container is made so, and its first start needs no network.
 */
import { spawn } from 'node:child_process'
import { constants } from 'node:os'
import { join } from 'node:path'
import { buildWeb, install, NODE, PARENT_CHECK_MS, ROOT, script, takeSignals } from './prepare.mjs'

await script(async () => {
  await install()
  await buildWeb()
  if (!process.argv.includes('--prepare')) serve()
})

function serve() {
  takeSignals()
  const server = spawn(NODE, ['apps/server/src/main.ts', ...process.argv.slice(2)], {
    cwd: ROOT,
    // The IPC channel shows the server when this script has ended, even if killed.
    stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
    env: {
      ...process.env,
      NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE ?? join(ROOT, '.cache/node'),
    },
  })
  // Ctrl+C reaches the whole group; a signal to this script alone is forwarded. The server tolerates getting it twice.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => server.kill(signal))
  // A killed npm sends no signal; its child is then reparented.
  const parent = process.ppid
  if (process.env.npm_lifecycle_event) {
    setInterval(() => process.ppid === parent || server.kill('SIGTERM'), PARENT_CHECK_MS).unref()
  }
  server.once('error', (error) => {
    console.error(error)
    process.exit(1)
  })
  server.once('exit', (code, signal) => process.exit(code ?? 128 + (constants.signals[signal] ?? 0)))
}
