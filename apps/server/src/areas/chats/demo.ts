import { ChatDomain, ChatGroup, ChatSuggestion } from '@ordinator/model/areas/chats/chatSettings'
import { ChatNote, LiveAssist } from '@ordinator/model/areas/chats/liveAssist'
import { Customer } from '@ordinator/model/areas/customers/customer'
import { Filial } from '@ordinator/model/areas/filials/filial'
import { outcomeOf } from '#areas/appeals/index.ts'
import type { Tx } from '#platform/db.ts'
import { seeded } from '#platform/seeded.ts'
import type { AppContext } from '#records/context.ts'
import type { Records } from '#records/records.ts'
import { demoChats } from './demoChats.ts'
import {
  type DemoTalk,
  demoGroups,
  demoNames,
  demoOpenTalks,
  demoSites,
  demoSuggestions,
  demoTalks,
} from './demoTalks.ts'
import { addLine, type Chat } from './lines.ts'
import { onlineDemo } from './online/demo.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
/** Norm of the first answer. */
const ANSWER_MINUTES = 15
const kinds = { v: 'visitor', s: 'staff', r: 'robot' } as const
/** Chats of the last weeks, beside those that other areas refer to. */
const MORE = 90
/** With the days before archiving: three months. */
const DAYS = 84

/** Sites, canned replies, and conversations of the last weeks. */
export async function demo(records: Records, _app: AppContext, tx: Tx): Promise<void> {
  const system = records.asSystem
  const operators = await tx.query<{ id: number; login: string }>({
    text: `select id, login from users where login in ('operator', 'nikitina', 'fomin') order by login <> 'operator', id`,
  })
  const filials = await records.rows(Filial, { sort: 'id', limit: 3 })
  const known = await records.rows(Customer, { 'filter[phone][null]': '0', sort: 'id', limit: 60 })
  const sites = []
  const groups = []
  for (const { name, logins } of demoGroups)
    groups.push(
      await system.create(ChatGroup, {
        name,
        users: operators.filter(({ login }) => (logins as readonly string[]).includes(login)).map(({ id }) => id),
      }),
    )
  for (const { filial, group, ...site } of demoSites)
    sites.push(
      await system.create(ChatDomain, {
        ...site,
        idGroup: groups[group]?.id ?? null,
        idFilial: filials[filial]?.id ?? null,
        idUser: operators[0]?.id ?? 1,
      }),
    )
  for (const [name, code, group, text, words] of demoSuggestions)
    await system.create(ChatSuggestion, { name, code, group, text, words: words || null })

  const random = seeded(20_261_123)
  const shapes = [
    ...demoChats.map((shape, at) => ({ shape, at })),
    ...Array.from({ length: MORE }, (_, at) => ({
      shape: { status: at < 10 ? 'completed' : 'archive', source: 'widget', sourceName: 'Виджет на сайте' } as const,
      at: at + demoChats.length,
    })),
  ]
  await onlineDemo(records, tx)
  let open = 0
  for (const { shape, at } of shapes) {
    const { own, ...chat } = { own: undefined, ...shape }
    const stranger = own ?? (at % 4 === 3 ? strangerOf(at) : undefined)
    const customer = stranger ? undefined : known[at % known.length]
    const isOpen = chat.status === 'active'
    const talk = isOpen ? undefined : demoTalks[at % demoTalks.length]
    const lines = talk?.lines ?? demoOpenTalks[open++ % demoOpenTalks.length] ?? []
    const begun = isOpen
      ? Date.now() - (12 + open * 9) * MINUTE
      : Date.now() - (chat.status === 'completed' ? 1 + (at % 6) : 8 + Math.floor(random() * DAYS)) * 24 * HOUR
    const idUser = operators[at % operators.length]?.id
    const site = chat.source === 'widget' ? sites[at % 5 === 4 ? 1 : 0] : undefined
    const made = await system.create(LiveAssist, {
      name: stranger?.name ?? customer?.name ?? 'Гость',
      phone: stranger?.phone ?? customer?.phone ?? null,
      source: chat.source,
      sourceName: chat.sourceName,
      idDomain: site?.id ?? null,
      idFilial: site?.idFilial ?? filials[0]?.id ?? null,
      idGroup: site?.idGroup ?? null,
      dateCreate: new Date(begun).toISOString(),
      ...(customer ? { idCustomer: customer.id } : {}),
    })
    await speak(records, tx, made, lines, begun, isOpen ? operators[0]?.id : idUser, talk, chat.status)
  }
}

function strangerOf(at: number) {
  const [name, phone] = demoNames[at % demoNames.length] as (typeof demoNames)[number]
  return { name, phone }
}

async function speak(
  records: Records,
  tx: Tx,
  begun: Chat,
  lines: DemoTalk['lines'],
  from: number,
  idUser: number | undefined,
  talk: DemoTalk | undefined,
  status: Chat['status'],
): Promise<void> {
  const system = records.asSystem
  let chat = begun
  let at = from
  for (const [number, [who, text, after]] of lines.entries()) {
    at += after * MINUTE
    const moment = new Date(Math.min(at, Date.now())).toISOString()
    if (who === 'n') {
      await system.create(ChatNote, { idLiveAssist: chat.id, text, idUser: idUser ?? 1, dateCreate: moment })
      chat = await system.row(LiveAssist, chat.id)
      continue
    }
    const isStaff = who === 's'
    const line = { kind: kinds[who], clientId: `demo-${chat.id}-${number}`, text, at: moment }
    const mine = { handler: 'human', idUser: idUser ?? null, lastUser: idUser ?? null, readIn: chat.inCount } as const
    const spoken = await addLine(
      system,
      tx,
      chat,
      isStaff && idUser ? { ...line, idUser } : line,
      isStaff ? mine : who === 'r' ? { robotTurns: chat.robotTurns + 1 } : {},
    )
    chat = spoken.chat
  }
  if (status === 'active') {
    // A night or a day off of the branch leaves no due time: the list shows who waits.
    if (chat.queuedAt !== null && chat.nextDueAt === null)
      await system.update(LiveAssist, chat.id, {
        nextDueAt: new Date(Date.parse(chat.queuedAt) + ANSWER_MINUTES * MINUTE).toISOString(),
      })
    return
  }
  await system.update(LiveAssist, chat.id, {
    status,
    handler: 'human',
    idUser: idUser ?? null,
    lastUser: idUser ?? null,
    idOutcome: await outcomeOf(tx, talk?.outcome ?? 'consulted'),
    rating: talk?.rating ?? null,
    dateCompleted: new Date(at + 5 * MINUTE).toISOString(),
    readIn: chat.inCount,
    deliveredOut: chat.outCount,
    readOut: chat.outCount,
    queuedAt: null,
    nextDueAt: null,
  })
}
