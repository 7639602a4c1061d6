/** `npm run backup|restore|admin|months|rotate-secret`: runs a server command on the pinned Node. Paths are relative to the caller's folder. */
import { isAbsolute, join } from 'node:path'
import { install, NODE, run, script } from './prepare.mjs'

await script(async () => {
  await install()
  const [name, ...rest] = process.argv.slice(2)
  const from = process.env.INIT_CWD ?? process.cwd()
  const paths =
    name === 'admin' || name === 'months' ? rest : rest.map((path) => (isAbsolute(path) ? path : join(from, path)))
  await run(NODE, ['apps/server/src/commands/run.ts', name, ...paths])
})
