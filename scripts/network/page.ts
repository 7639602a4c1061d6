/** The page of the network: which nodes run, and buttons that break each part. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { Network, State } from './network.ts'
import type { Part } from './parts.ts'
import { at, HOST, PORTS } from './ports.ts'
import { clusterOf, roleOf } from './roles.ts'

/** What may be done to a part, and in which states. */
const actions = {
  kill: { label: 'Убить', when: ['running', 'paused', 'cut', 'restarting'] },
  pause: { label: 'Пауза', when: ['running'] },
  cut: { label: 'Отрезать', when: ['running'] },
  raise: { label: 'Поднять', when: ['killed', 'paused', 'cut'] },
} as const satisfies Record<string, { label: string; when: readonly State[] }>
type Action = keyof typeof actions

const STATES: Record<State, string> = {
  waiting: 'ещё не запущен',
  running: 'работает',
  killed: 'убит',
  paused: 'на паузе',
  cut: 'отрезан',
  restarting: 'упал, поднимается',
}

interface Row {
  part: Part
  state: State
  /** Its own status; undefined: nothing. */
  role: string | undefined
}

interface About {
  /** Address of the clinic's program. */
  clinic: string
  /** Sentences for the operator. */
  notes: readonly string[]
}

/** Takes the port of the page at once, so that two networks do not run beside each other. @throws EADDRINUSE */
export async function openPage(network: Network, about: About): Promise<Server> {
  const server = createServer((request, reply) => {
    void answer(network, about, request, reply).catch((error) => reply.writeHead(500).end(String(error)))
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(PORTS.page, HOST, resolve)
  })
  return server
}

/** `GET /` the page, `GET /state` the same as JSON, `POST /ACTION/PART` from the page itself. */
async function answer(
  network: Network,
  about: About,
  request: IncomingMessage,
  reply: ServerResponse,
): Promise<unknown> {
  // Another site's page may neither read nor press: it has another host or origin.
  const origin = request.headers.origin ?? `http://${at(PORTS.page)}`
  if (request.headers.host !== at(PORTS.page) || origin !== `http://${at(PORTS.page)}`)
    return reply.writeHead(403).end()
  const [, word = '', name = ''] = (request.url ?? '').split('/')
  if (request.method === 'POST') {
    const action = Object.keys(actions).find((one) => one === word) as Action | undefined
    if (!action || !network.parts.some(({ part }) => part.name === name)) return reply.writeHead(404).end()
    // The machine cannot, or the part is not in a state for it.
    if (network[action](name) === false) return reply.writeHead(409).end()
    return reply.writeHead(303, { location: '/' }).end()
  }
  if (word === 'state') {
    const rows = (await look(network)).map(({ part, ...row }) => ({ name: part.name, ...row }))
    return reply.writeHead(200, { 'content-type': 'application/json; charset=utf-8' }).end(JSON.stringify(rows))
  }
  if (word !== '') return reply.writeHead(404).end()
  return reply
    .writeHead(200, { 'content-type': 'text/html; charset=utf-8' })
    .end(html(network, await look(network), about))
}

export async function look(network: Network): Promise<Row[]> {
  const members = await clusterOf().catch(() => [])
  return Promise.all(
    network.parts.map(async (row) => ({ ...row, role: await roleOf(row.part, members).catch(() => undefined) })),
  )
}

function html({ canCut }: Network, rows: readonly Row[], { clinic, notes }: About): string {
  const lines = rows.map(({ part, state, role }) => {
    const buttons = Object.entries(actions)
      .filter(([action, { when }]) => (when as readonly State[]).includes(state) && (action !== 'cut' || canCut))
      .map(
        ([action, { label }]) =>
          `<form method="post" action="/${action}/${part.name}"><button aria-label="${label}: ${part.label}">${label}</button></form>`,
      )
    return `<tr class="${state === 'running' && role ? 'well' : 'ill'}"><th scope="row">${part.label}</th><td>${at(part.port)}</td><td>${STATES[state]}</td><td>${role ?? 'не отвечает'}</td><td>${buttons.join('')}</td></tr>`
  })
  return `<!doctype html><html lang="ru"><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<meta http-equiv="refresh" content="3"><title>Сеть Ординатора</title><style>${STYLE}</style>
<main><h1>Сеть Ординатора</h1><p>Клиника: <a href="${clinic}">${clinic}</a> (admin, пароль demo).
Файлы настроек и что они значат: docs/network.md.</p>${notes.map((note) => `<p>${note}</p>`).join('')}
<table><thead><tr><th>Часть</th><th>Адрес</th><th>Процесс</th><th>Что говорит о себе</th><th>Сломать или вернуть</th></tr></thead>
<tbody>${lines.join('\n')}</tbody></table></main></html>`
}

const STYLE = `body{font:14px/1.5 system-ui,sans-serif;margin:0;padding:24px;color:#1a1b1e;background:#f6f7f9}main{max-width:1200px}
h1{font-size:20px;margin:0 0 8px}table{border-collapse:collapse;width:100%;background:#fff}th,td{padding:4px 10px;text-align:left;border-bottom:1px solid #e9ecef}
th[scope]{border-left:4px solid #2b8a3e}.ill th[scope]{border-left-color:#c92a2a}.ill td{color:#c92a2a}td:last-child{white-space:nowrap}form{display:inline}
button{font:inherit;margin-right:6px;padding:2px 10px;border:1px solid #ced4da;border-radius:6px;background:#fff;color:#1a1b1e;cursor:pointer}
@media(prefers-color-scheme:dark){body{background:#17181b;color:#e9ecef}table{background:#232428}th,td{border-color:#373a40}a{color:#74c0fc}.ill td{color:#ff8787}}`
