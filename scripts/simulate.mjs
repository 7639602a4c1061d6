/**
 * `npm run simulate [name] [arguments]`: starts a simulator of an outside system beside the product, or lists them. Each is
 * `apps/server/src/testing/<name>Simulator.ts`, and its head comment names its command.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Failure, install, NODE, ROOT, run, script } from './prepare.mjs'

const FOLDER = 'apps/server/src/testing'

await script(async () => {
  const [name, ...args] = process.argv.slice(2)
  await install()
  if (name === undefined) return list()
  const file = join(FOLDER, `${name.replace(/-(\w)/g, (_, letter) => letter.toUpperCase())}Simulator.ts`)
  if (!standalone().some((one) => one.name === name))
    throw new Failure(`Нет симулятора «${name}». Список: npm run simulate`)
  await run(NODE, [file, ...args], { cwd: ROOT })
})

function list() {
  for (const { name, about } of standalone()) console.log(`npm run simulate ${name.padEnd(14)} ${about}`)
}

/** @returns the simulators that run by themselves: name and the first sentence of the head comment */
function standalone() {
  const folder = join(ROOT, FOLDER)
  const files = readdirSync(folder).filter((file) => file.endsWith('Simulator.ts'))
  return files.flatMap((file) => {
    const [head = ''] = readFileSync(join(folder, file), 'utf8').match(/^\/\*\*[\s\S]*?\*\//) ?? []
    const words = head
      .replace(/^\/\*\*|\*\/$|^ \* ?/gm, '')
      .replace(/\s+/g, ' ')
      .trim()
    const name = words.match(/`npm run simulate ([\w-]+)/)?.[1]
    return name
      ? [{ name, about: words.replace(/^`npm run simulate [\w-]+`: /, '').match(/^.*?(?=[.:;]( |$))/)?.[0] ?? '' }]
      : []
  })
}
