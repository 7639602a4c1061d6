import { OnlineDialog } from '@ordinator/model/areas/chats/online'
import type { Row } from '@ordinator/model/entity'
import type { Tx } from '#platform/db.ts'
import type { Records, SystemRecords } from '#records/records.ts'
import { addOnlineLine } from './dialogs.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

type Dialog = Row<typeof OnlineDialog>

interface DemoTalk {
  /** Author, text, and minutes after the previous line. */
  lines: readonly (readonly ['p' | 's', string, number])[]
  reason?: string
  rating?: number
}

const talks: readonly DemoTalk[] = [
  {
    lines: [
      ['p', 'Здравствуйте! Можно ли перед УЗИ брюшной полости пить воду?', 0],
      ['s', 'Добрый день! Воду без газа можно небольшими глотками, есть за 6 часов до исследования нельзя.', 6],
      ['p', 'Спасибо большое!', 3],
    ],
    reason: 'Рассказали о подготовке',
    rating: 5,
  },
  {
    lines: [
      ['p', 'Добрый день. Мне нужна справка об оплате для налогового вычета за прошлый год.', 0],
      ['s', 'Здравствуйте! Подготовим за три рабочих дня, забрать можно в регистратуре с паспортом.', 14],
      ['p', 'А на маму можно оформить?', 8],
      ['s', 'Да, если оплачивали вы: возьмите документ о родстве.', 5],
    ],
    reason: 'Заявка на справку принята',
    rating: 4,
  },
  {
    lines: [
      ['p', 'Перепутал время, могу ли прийти на час позже?', 0],
      ['s', 'Врач свободен в 17:30, перенесла вас на это время.', 11],
      ['p', 'Отлично, буду', 2],
    ],
    reason: 'Перенесли визит',
    rating: 5,
  },
  {
    lines: [
      ['p', 'Не нашёл в кабинете свой полис, он у вас записан?', 0],
      ['s', 'Полис в карте есть, он появится в «Мои данные» сегодня.', 48],
    ],
    reason: 'Дополнили карту',
    rating: 2,
  },
  { lines: [['p', 'Подскажите, сколько стоит приём кардиолога?', 0]], reason: 'Пациент перезвонил сам' },
]

const open: readonly DemoTalk[] = [
  { lines: [['p', 'Здравствуйте! Записана на завтра, нужно ли приносить прошлые анализы?', 0]] },
  {
    lines: [
      ['p', 'Добрый день, можно узнать, принимает ли доктор в субботу?', 0],
      ['s', 'Здравствуйте! Да, с 9 до 14. Записать вас?', 7],
    ],
  },
  {
    lines: [
      ['p', 'Хочу оформить согласие на ребёнка заранее.', 0],
      ['s', 'Можно подписать в день визита, бланк уже готов.', 9],
      ['p', 'А если придёт бабушка?', 4],
    ],
  },
]
/** To doctors; the last ones are unanswered. */
const toDoctors: readonly DemoTalk[] = [
  {
    lines: [
      ['p', 'Доктор, после прививки температура 37,4. Нужно ли что-то принимать?', 0],
      ['s', 'Здравствуйте! До 38 сбивать не нужно. Пейте больше и отдыхайте, если завтра не пройдёт — напишите.', 95],
      ['p', 'Спасибо, сегодня уже нормальная', 1_300],
    ],
    reason: 'Врач ответил',
    rating: 5,
  },
  {
    lines: [
      ['p', 'Пришли анализы, гемоглобин 118. Продолжать железо?', 0],
      ['s', 'Да, ещё месяц по той же схеме, потом повторим анализ.', 210],
    ],
    reason: 'Врач ответил',
    rating: 5,
  },
  {
    lines: [
      ['p', 'Можно ли совмещать назначенные таблетки с витамином D?', 0],
      ['s', 'Можно, доза та же. Принимайте утром, с едой.', 320],
      ['p', 'А с магнием?', 60],
    ],
  },
  { lines: [['p', 'Здравствуйте! На приёме забыла спросить, когда снимать швы.', 0]] },
]
const DIALOGS = 45

/** Dialogues of the last two months, and a few open ones. */
export async function onlineDemo(records: Records, tx: Tx): Promise<void> {
  const system = records.asSystem
  const staff = await tx.query<{ id: number }>({
    text: `select id from users where login in ('operator', 'nikitina') order by login <> 'operator'`,
  })
  const patients = await tx.query<{ id: number; idFilial: number | null }>({
    text: `select c.id::int as id, (select f.id::int from filials f order by f.id offset c.id % 2 limit 1) as "idFilial"
      from customers c where c.phone is not null and not c.deleted and c."secretLevel" = 'none' order by c.id limit $1`,
    values: [DIALOGS],
  })
  await questionsToDoctors(system, tx)
  for (const [at, { id, idFilial }] of patients.entries()) {
    const talk = at < open.length ? open[at] : talks[at % talks.length]
    const idUser = staff[at % Math.max(1, staff.length)]?.id
    if (!talk || idUser === undefined) continue
    const isOpen = at < open.length
    const moment = Date.now() - (isOpen ? (35 + at * 20) * MINUTE : (1 + Math.floor((at * 59) / DIALOGS)) * DAY)
    const dialog = await system.create(OnlineDialog, {
      idCustomer: id,
      idFilial,
      dateCreate: new Date(moment).toISOString(),
    })
    const { last, ended } = await say(system, tx, dialog, talk, moment, idUser)
    if (!isOpen) await close(system, last, talk, ended, idUser)
  }
}

/** Questions of patients to doctors, the last ones open. */
async function questionsToDoctors(system: SystemRecords, tx: Tx): Promise<void> {
  const asked = await tx.query<{ idCustomer: number; idUser: number; idFilial: number | null }>({
    text: `select c.id::int as "idCustomer", d.id::int as "idUser",
        (select f.id::int from filials f order by f.id limit 1) as "idFilial"
      from (select id, row_number() over (order by login <> 'doctor', id) as n from users
        where post ilike 'врач%' and not deleted limit $1) d
      join (select id, row_number() over (order by id desc) as n from customers
        where phone is not null and not deleted and "secretLevel" = 'none' limit $1) c on c.n = d.n order by d.n`,
    values: [toDoctors.length],
  })
  for (const [at, { idUser, ...of }] of asked.entries()) {
    const talk = toDoctors[at] as DemoTalk
    const begin = Date.now() - (talk.reason ? (3 + at * 6) * DAY : (toDoctors.length - at) * 9 * HOUR)
    const dialog = await system.create(OnlineDialog, {
      ...of,
      kind: 'doctor',
      idUser,
      dateCreate: new Date(begin).toISOString(),
    })
    const { last, ended } = await say(system, tx, dialog, talk, begin, idUser)
    if (talk.reason) await close(system, last, talk, ended, idUser)
  }
}

/** Writes the lines of a talk. @returns the dialogue afterwards, and the time of its last line */
async function say(
  system: SystemRecords,
  tx: Tx,
  begun: Dialog,
  talk: DemoTalk,
  begin: number,
  idUser: number,
): Promise<{ last: Dialog; ended: number }> {
  let dialog = begun
  let moment = begin
  for (const [number, [who, text, after]] of talk.lines.entries()) {
    moment += after * MINUTE
    const at = new Date(moment).toISOString()
    const isOurs = who === 's'
    const line = {
      author: isOurs ? 'staff' : 'patient',
      clientId: `demo-${dialog.id}-${number}`,
      text,
      at,
    } as const
    const mine = { idUser, dateAssigned: dialog.dateAssigned ?? at, readIn: dialog.inCount }
    const made = await addOnlineLine(system, tx, dialog, isOurs ? { ...line, idUser } : line, isOurs ? mine : {})
    dialog = made.dialog
  }
  return { last: dialog, ended: moment }
}

const close = (system: SystemRecords, dialog: Dialog, talk: DemoTalk, ended: number, idUser: number) =>
  system.update(OnlineDialog, dialog.id, {
    status: 'closed',
    idUser,
    closeReason: talk.reason ?? null,
    rating: talk.rating ?? null,
    dateClosed: new Date(ended + 5 * MINUTE).toISOString(),
    readIn: dialog.inCount,
    deliveredOut: dialog.outCount,
    readOut: dialog.outCount,
    queuedAt: null,
    nextDueAt: null,
    waitFrom: null,
  })
