import { messageStatuses } from '@ordinator/model/areas/messages/events'
import { reminderKinds, replyMeanings } from '@ordinator/model/areas/visits/reminders'
import { visitStatuses } from '@ordinator/model/areas/visits/rules'
import { shareText } from '@ordinator/model/areas/visits/shares'
import { Appointment, LinePerformer } from '@ordinator/model/areas/visits/visit'
import type { HistoryEntry, RecordNames } from '@ordinator/model/history'
import { useHistory } from '#records/reads.ts'
import { shortDay } from '../day.ts'
import type { Visit } from './visit.ts'

/** Channels of reminders, as text. */
const channelWords = { push: 'push-уведомлением', messenger: 'в мессенджере', sms: 'СМС', email: 'письмом' } as const

/** Maximum history entries loaded. */
const LINES = 200

export interface HistoryWord {
  key: string
  at: string
  who: HistoryEntry['user']
  text: string
}

/** History of a visit, the newest first. */
export function useVisitHistory(visit: Visit): HistoryWord[] {
  const { data } = useHistory(Appointment, visit.id, { parts: true, limit: LINES })
  const made = { key: 'made', at: visit.dateCreate, who: visit.author, text: 'Записан' }
  const changes = visit.changes.map((one) => ({
    key: `c${one.id}`,
    at: one.dateCreate,
    who: one.author,
    text: `${visitStatuses[one.fromStatus]} → ${visitStatuses[one.toStatus]}${one.reason ? `: ${one.reason}` : ''}`,
  }))
  const moves = visit.moves.map((one) => ({
    key: `m${one.id}`,
    at: one.dateCreate,
    who: one.author,
    text: `Перенесён: ${shortDay(one.fromDate)}, ${one.fromStart} → ${shortDay(one.toDate)}, ${one.toStart}${one.reason ? ` (${one.reason})` : ''}`,
  }))
  const reminders = visit.reminders.flatMap((one) => [
    {
      key: `r${one.id}`,
      at: one.dateSent ?? one.dateCreate,
      who: null,
      text: `Напоминание ${reminderKinds[one.kind].toLowerCase()}: ${[messageStatuses[one.status].toLowerCase(), one.channel && channelWords[one.channel]].filter(Boolean).join(', ')}${one.reason ? ` (${one.reason})` : ''}`,
    },
    ...(one.dateReply && one.meaning
      ? [
          {
            key: `a${one.id}`,
            at: one.dateReply,
            who: null,
            text: `${replyMeanings[one.meaning]}: «${one.reply}»`,
          },
        ]
      : []),
  ])
  const shares = (data?.pages ?? []).flatMap(({ items, names }) => shareWords(items, names, visit))
  return [...changes, ...moves, ...reminders, ...shares, made].sort((a, b) => b.at.localeCompare(a.at))
}

/** History of joint performers and shares. */
function shareWords(entries: readonly HistoryEntry[], names: RecordNames, { coupons }: Visit): HistoryWord[] {
  const own = entries.filter(({ path }) => path === LinePerformer.path)
  const people = new Map(
    own.flatMap(({ idEntity, changes }) => (changes.idUser ? [[idEntity, changes.idUser[1] as number] as const] : [])),
  )
  const lines = new Map(coupons.flatMap(({ services }) => services).map((line) => [line.id, line.service?.nameService]))
  return own.map(({ id, idEntity, idParent, action, changes, dateCreate, user }) => {
    const idUser = people.get(idEntity)
    const name = (idUser !== undefined && names.users?.[String(idUser)]) || 'исполнитель'
    const [from, to] = (changes.share ?? []) as (number | null)[]
    const share = [from, to].flatMap((one) => (typeof one === 'number' ? [shareText(one)] : [])).join(' → ')
    const phrase = action === 'delete' ? `${name} больше не исполнитель` : `исполнитель ${name}, ${share}`
    return { key: `s${id}`, at: dateCreate, who: user, text: `${lines.get(idParent ?? 0) ?? 'Услуга'}: ${phrase}` }
  })
}
