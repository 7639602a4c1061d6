/**
 * First steps of `npm start` and `npm test`, from a bare clone. Only modules of Node 20 may be used here: nothing is
 * installed yet.
 */
import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { constants as systemConstants } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'

export const ROOT = join(import.meta.dirname ?? new URL('.', import.meta.url).pathname, '..')
const MODULES = join(ROOT, 'node_modules')
const DIST = join(ROOT, 'apps/web/dist')
/** The patients' app. */
const PORTAL_DIST = join(ROOT, 'apps/web/dist-portal')
const WINDOWS = process.platform === 'win32'

/** The package with the pinned Node: its binary for this system, only to be unpacked. */
const NODE_PACKAGE = `node-${WINDOWS ? 'win' : process.platform}-${process.arch}`
const PINNED_NODE = join(MODULES, NODE_PACKAGE, WINDOWS ? 'bin/node.exe' : 'bin/node')
/** The oldest supported Node, for systems without a binary package. */
const OLDEST_NODE = [24, 6]

/** The Node that runs everything: the pinned one; without a package for the system, the current one. */
export const NODE = hasNodePackage() ? PINNED_NODE : process.execPath

function hasNodePackage() {
  const { optionalDependencies } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'))
  return NODE_PACKAGE in optionalDependencies
}

function checkNode() {
  if (existsSync(PINNED_NODE)) return
  if (hasNodePackage()) throw new Failure(`Не установился Node 24 (пакет ${NODE_PACKAGE}). Повторите запуск.`)
  const [major, minor] = process.versions.node.split('.').map(Number)
  if (major < OLDEST_NODE[0] || (major === OLDEST_NODE[0] && minor < OLDEST_NODE[1]))
    throw new Failure(
      `Для этой системы (${process.platform}, ${process.arch}) установите Node ${OLDEST_NODE.join('.')} или новее.`,
    )
}

/** The lock file of the installed packages: a change reinstalls them. */
const LOCK = join(ROOT, 'package-lock.json')
const INSTALL_STAMP = join(MODULES, '.ordinator-installed')

/** Inputs of the web build; the pictures of the guide are there once `npm run guide` has made them. */
const BUILD_INPUTS = ['apps/web', 'packages/model', 'docs/guide', '.cache/guide', 'package-lock.json']
const BUILD_STAMP = join(DIST, '.built')
const NOT_INPUTS = new Set(['node_modules', 'dist', 'dist-portal', '.cache', 'test-results'])

export function install() {
  const wanted = installHash()
  if (existsSync(NODE) && read(INSTALL_STAMP) === wanted) return Promise.resolve()
  return timed('Устанавливаем зависимости', async () => {
    const all = Object.keys(JSON.parse(read(LOCK)).packages).length
    const done = () => (existsSync(MODULES) ? readdirSync(MODULES).length : 0)
    await persevere(WINDOWS ? 'npm.cmd' : 'npm', ['ci', '--no-audit', '--no-fund', '--loglevel=http'], {
      // The environment of an outer npm run would affect the inner one.
      env: cleanEnv(),
      endsWithin: NOTHING_TO_SAVE_MS,
      isChatter: (line) => /^npm (http|warn)/i.test(line),
      progress: (lines) => `  …загружено и проверено: ${Math.min(lines, all)} из ${all}`,
      state: done,
      stalled: 'Загрузка стоит уже минуту',
      failed: 'Зависимости не загрузились: хранилище пакетов npm не отвечает. Проверьте сеть и повторите запуск.',
    })
    checkNode()
    writeFileSync(INSTALL_STAMP, wanted)
  })
}

const STALL_MS = 60_000
const PROGRESS_MS = 10_000
const TRIES = 3

/**
 * Runs a command that downloads: reports progress, and restarts it when it stalls.
 * @param options of `spawn`, and: `isChatter` lines that are counted instead of shown, `progress` text for the count,
 * `state` a value that changes while the command works, `stalled` and `failed` messages, `stallMs`
 * @throws Failure when it fails, or has stalled each time
 */
export async function persevere(file, args, options) {
  const {
    isChatter,
    progress,
    state = () => 0,
    stalled,
    failed,
    stallMs = STALL_MS,
    say = console.log,
    ...more
  } = options
  for (let attempt = 1; attempt <= TRIES; attempt++) {
    const ended = await attempted()
    if (ended !== 'stalled') {
      if (ended === 0) return
      throw new Failure(`Команда не удалась: ${args.slice(-3).join(' ')} (${ended})`)
    }
    say(attempt < TRIES ? `${stalled}: пробуем снова (${attempt + 1} из ${TRIES})` : `${stalled}.`)
  }
  throw new Failure(failed)

  function attempted() {
    return new Promise((done, fail) => {
      const child = begin(file, args, { shell: WINDOWS, ...more, stdio: ['ignore', 'pipe', 'pipe'] })
      let lines = 0
      let shown = 0
      let moved = { at: Date.now(), by: '' }
      const stand = () => `${lines} ${state()} ${Math.floor(workOf(child.pid) / WORK_STEP_MS)}`
      const watch = setInterval(
        () => {
          const now = stand()
          if (now !== moved.by) moved = { at: Date.now(), by: now }
          else if (Date.now() - moved.at >= stallMs) signal(child, 'SIGKILL')
        },
        Math.min(stallMs / 4, 1_000),
      )
      const talk = setInterval(() => {
        if (lines > shown) say(progress(lines))
        shown = lines
      }, PROGRESS_MS)
      const copyOutput = (stream, out) => {
        let rest = ''
        stream.setEncoding('utf8').on('data', (text) => {
          const parts = (rest + text).split('\n')
          rest = parts.pop()
          for (const line of parts) {
            if (isChatter(line)) lines++
            else if (line.trim()) out.write(`${line}\n`)
          }
        })
      }
      copyOutput(child.stdout, process.stdout)
      copyOutput(child.stderr, process.stderr)
      child.once('error', fail)
      child.once('close', (code, name) => {
        clearInterval(watch)
        clearInterval(talk)
        done(Date.now() - moved.at >= stallMs && name === 'SIGKILL' ? 'stalled' : (name ?? code))
      })
    })
  }
}

/** CPU milliseconds per minute below which a command counts as idle. */
const WORK_STEP_MS = 500
const TICK_MS = 10

/** CPU milliseconds of a process and its ended children, where available (Linux). */
function workOf(pid) {
  const text = read(`/proc/${pid}/stat`)
  if (!text) return 0
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ')
  return fields.slice(11, 15).reduce((sum, ticks) => sum + Number(ticks), 0) * TICK_MS
}

export function buildWeb() {
  if (!existsSync(join(ROOT, 'apps/web/index.html'))) return Promise.resolve()
  const wanted = buildHash()
  const built = [join(DIST, 'index.html'), join(PORTAL_DIST, 'portal.html')]
  if (read(BUILD_STAMP) === wanted && built.every((file) => existsSync(file))) return Promise.resolve()
  return timed('Собираем веб-приложение', async () => {
    rmSync(BUILD_STAMP, { force: true })
    const vite = (...args) =>
      run(NODE, [join(MODULES, 'vite/bin/vite.js'), 'build', 'apps/web', ...args, '--logLevel', 'warn'], {
        endsWithin: NOTHING_TO_SAVE_MS,
      })
    await vite()
    await vite('--config', 'apps/web/vite.portal.config.ts')
    await compressAll(DIST)
    await compressAll(PORTAL_DIST)
    mkdirSync(DIST, { recursive: true })
    writeFileSync(BUILD_STAMP, wanted)
  })
}

/** A failure with a message for people, shown without a stack trace. */
export class Failure extends Error {}
/** Nothing more is started: the script is ending by a signal. */
export class Ending extends Error {}

export function run(file, args, options = {}) {
  return new Promise((done, fail) => {
    const child = begin(file, args, { shell: WINDOWS, ...options })
    child.once('error', fail)
    child.once('close', (code, signal) =>
      code === 0 ? done() : fail(new Failure(`Команда не удалась: ${args.slice(-3).join(' ')} (${signal ?? code})`)),
    )
  })
}

/** Running children, each with the signal for its graceful shutdown and the time it gets for that. */
const children = new Map()
const ENDING_MS = 30_000
/**
 * For work that leaves nothing behind: npm does not end an installation by a signal, nor does the compiler of TypeScript
 * end by one. The next start begins it anew.
 */
export const NOTHING_TO_SAVE_MS = 2_000
let ending

/**
 * Starts a command that ends with this script: SIGINT, SIGTERM and SIGHUP of the script end the command with all its
 * children, and then the script.
 * @param options of `spawn`; `ends`: the signal for a graceful shutdown of the command, default SIGTERM; `endsWithin`: the
 * milliseconds it gets for that, then it is killed
 * @throws Ending when the script is ending
 */
export function begin(file, args, { ends = 'SIGTERM', endsWithin = ENDING_MS, ...options } = {}) {
  if (ending) throw new Ending(ending)
  // Its own process group: npm and others do not forward signals to their children.
  const child = spawn(file, args, { cwd: ROOT, stdio: 'inherit', detached: !WINDOWS, ...options })
  children.set(child, { ends, endsWithin })
  child.once('error', () => children.delete(child))
  child.once('close', () => children.delete(child))
  return child
}

/** Signals the child's whole group. */
function signal(child, name) {
  try {
    if (WINDOWS) child.kill(name)
    else process.kill(-child.pid, name)
  } catch {
    // Already ended.
  }
}

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP']
export const PARENT_CHECK_MS = 500

function endWithSignals() {
  for (const name of SIGNALS) process.on(name, end)
}

let parentWatch
/** A killed npm sends no signal, and its shell ends without passing one on; its child is then reparented. */
function endWithParent() {
  if (!process.env.npm_lifecycle_event) return
  const parent = process.ppid
  parentWatch = setInterval(() => process.ppid === parent || end('SIGTERM'), PARENT_CHECK_MS).unref()
}

/** From now on the script handles signals, and the end of its parent, itself. */
export function takeSignals() {
  clearInterval(parentWatch)
  for (const name of SIGNALS) process.off(name, end)
}

async function end(name) {
  if (ending) return
  ending = name
  const left = [...children]
  const ended = left.map(([child]) => new Promise((done) => child.once('close', done)))
  for (const [child, { ends }] of left) signal(child, ends)
  const late = left.map(([child, { endsWithin }]) => setTimeout(() => signal(child, 'SIGKILL'), endsWithin))
  await Promise.all(ended)
  for (const timer of late) clearTimeout(timer)
  // Kill leftover processes in the groups of finished commands.
  for (const [child] of left) signal(child, 'SIGKILL')
  process.exit(128 + systemConstants.signals[name])
}

async function timed(what, work) {
  const began = Date.now()
  console.log(`${what}…`)
  await work()
  console.log(`${what}: готово за ${((Date.now() - began) / 1000).toFixed(1)} с`)
}

function cleanEnv() {
  const kept = Object.entries(process.env).filter(([name]) => !/^npm_(package|lifecycle|command|execpath)/i.test(name))
  return { ...Object.fromEntries(kept), NODE_ENV: '' }
}

function installHash() {
  return createHash('sha256')
    .update(read(LOCK) ?? '')
    .update(`${process.platform} ${process.arch}`)
    .digest('hex')
}

/** By sizes and times, not contents: it must cost nothing at every start. */
function buildHash() {
  const hash = createHash('sha256')
  for (const path of BUILD_INPUTS.map((input) => join(ROOT, input)).filter((input) => existsSync(input))) {
    for (const file of filesOf(path)) {
      const { size, mtimeMs } = statSync(file)
      hash.update(`${file.slice(ROOT.length)} ${size} ${Math.round(mtimeMs)}\n`)
    }
  }
  return hash.digest('hex')
}

function* filesOf(path) {
  if (!statSync(path).isDirectory()) {
    yield path
    return
  }
  for (const entry of readdirSync(path, { withFileTypes: true })) {
    if (NOT_INPUTS.has(entry.name) || /\.test\.tsx?$/.test(entry.name)) continue
    if (entry.isDirectory()) yield* filesOf(join(path, entry.name))
    else yield join(path, entry.name)
  }
}

const COMPRESSED = /\.(js|css|html|svg|json|webmanifest|txt)$/
const COMPRESS_FROM = 1024
const AT_ONCE = 4

/** Writes .br and .gz beside each text file; the server sends them as they are. */
async function compressAll(dir) {
  const files = [...filesOf(dir)].filter((file) => COMPRESSED.test(file) && statSync(file).size >= COMPRESS_FROM)
  const brotli = promisify(brotliCompress)
  const gz = promisify(gzip)
  const worker = async () => {
    for (let file = files.pop(); file; file = files.pop()) {
      const data = await readFile(file)
      const params = { [constants.BROTLI_PARAM_QUALITY]: 9, [constants.BROTLI_PARAM_SIZE_HINT]: data.length }
      await writeFile(`${file}.br`, await brotli(data, { params }))
      await writeFile(`${file}.gz`, await gz(data, { level: 9 }))
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, worker))
}

function read(path) {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return undefined
  }
}

/** Runs a script's main function; a Failure ends it with its message, a signal together with all its children. */
export async function script(main) {
  endWithSignals()
  endWithParent()
  try {
    await main()
  } catch (error) {
    // The end of a command during the shutdown is not a failure.
    if (ending) return
    console.error(error instanceof Failure ? error.message : error)
    process.exit(1)
  }
}
