/** Edits and deletes sent lines of operators, also in the messenger. */
import { holds } from '@ordinator/model/access'
import { chatCalls } from '@ordinator/model/areas/chats/calls'
import { type ChannelKind, ChatChannel, channelKinds } from '@ordinator/model/areas/chats/chatSettings'
import { ChatMessage, LiveAssist, Visitor } from '@ordinator/model/areas/chats/liveAssist'
import sql from 'sql-template-tag'
import { forbidden, HttpError, ValidationError } from '#platform/errors.ts'
import { systemActor } from '#records/actor.ts'
import type { AppContext } from '#records/context.ts'
import { operation } from '#records/operation.ts'
import type { Records } from '#records/records.ts'
import { type ChannelAdapter, type Sent, type Standing, UNKNOWN } from './channels/adapter.ts'
import { adapters } from './channels/adapters.ts'
import { type ChannelSecret, secretOf } from './channels/secrets.ts'
import { type Chat, lockChat, type Message } from './lines.ts'
import { revise } from './revisions.ts'

type Change = { text: string } | 'removal'

const wordOf = (change: Change) => (change === 'removal' ? 'удалить' : 'изменить')

/**
 * The line that the user may change, and its chat.
 * @throws HttpError 403 if it is another's, 409 if it can no longer be changed
 */
async function own(records: Records, id: number, change: Change): Promise<{ line: Message; chat: Chat }> {
  const line = await records.row(ChatMessage, id)
  const { actor } = records
  if (line.kind !== 'staff') throw forbidden(`Можно ${wordOf(change)} только сообщение сотрудника`)
  if (line.idUser !== actor.id && !(change === 'removal' && holds(actor, 'superviseLiveAssist')))
    throw forbidden(change === 'removal' ? 'Удалить может автор или старший' : 'Изменить может только автор')
  if (line.dateRemoved !== null && change !== 'removal')
    throw new HttpError(409, 'Сообщение удалено', { code: 'removed' })
  const chat = await records.row(LiveAssist, line.idLiveAssist)
  if (chat.status === 'archive') throw new HttpError(409, 'Чат в архиве: его можно только читать', { code: 'archived' })
  return { line, chat }
}

/** Changes the line, first in the messenger: so that both have the same text, or neither has changed. */
async function change(app: AppContext, records: Records, id: number, to: Change): Promise<Message> {
  const { line, chat } = await own(records, id, to)
  if (line.dateRemoved !== null || (to !== 'removal' && to.text === line.message)) return line
  const files = await app.db.query<{ id: number }>(
    sql`select "id" from live_assist_message_files where "idMessage" = ${id} and not "deleted" limit 1`,
  )
  if (to !== 'removal' && to.text === '' && files.length === 0) throw wrong('Напишите сообщение или удалите его')
  if (chat.idChannel !== null) await changeOutside(app, chat.idChannel, chat, line, files.length > 0, to)
  return records.tx(async (inside, tx) => {
    const system = inside.asSystem
    const held = await lockChat(system, tx, chat.id)
    const now = await system.row(ChatMessage, id)
    // Resent or refused meanwhile: the earlier state is outdated.
    if (chat.idChannel !== null && (now.failure !== line.failure || now.idExternal !== line.idExternal))
      throw refused('С сообщением только что что-то произошло: посмотрите на него и повторите', 'changed')
    await revise(system, tx, held, now, to, inside.actor.id)
    return inside.row(ChatMessage, id)
  })
}

const wrong = (message: string) => new ValidationError([{ field: 'message', message }])

/** @throws HttpError if the messenger has not changed it */
async function changeOutside(
  app: AppContext,
  idChannel: number,
  chat: Chat,
  line: Message,
  withFiles: boolean,
  to: Change,
): Promise<void> {
  const system = app.engine.for(systemActor).asSystem
  const { kind, active } = await system.row(ChatChannel, idChannel)
  const messenger = channelKinds[kind]
  if (line.failure?.startsWith(UNKNOWN))
    throw refused(`Неизвестно, дошло ли сообщение: ${wordOf(to)} его в ${messenger} нельзя`, 'unknown')
  if (line.idExternal === null) {
    if (line.failure === null)
      throw refused('Сообщение ещё отправляется: подождите несколько секунд и повторите', 'sending')
    // It was never sent: it exists only here.
    return
  }
  const { idExternal } = await system.row(Visitor, Number(chat.idVisitor))
  const standing: Standing = { to: idExternal ?? '', ids: line.idExternal.split(' '), withFiles }
  const secret = await secretOf(app.db, idChannel)
  if (!active || !secret) throw refused('Канал выключен или не подключён', 'off')
  const done = carriedOut(adapters[kind], app, secret, standing, to)
  if (!done) throw refused(`${messenger} не даёт ${wordOf(to)} отправленное. Напишите новым сообщением`, 'unrevisable')
  refuseUndone(await done, kind)
}

function carriedOut(
  adapter: ChannelAdapter,
  { config }: AppContext,
  secret: ChannelSecret,
  line: Standing,
  to: Change,
): Promise<Sent> | undefined {
  if (to === 'removal') return adapter.remove?.(config, secret, line)
  if (!adapter.edit) return undefined
  if (to.text.length > (line.withFiles ? adapter.maxCaption : adapter.maxText))
    throw wrong(`Не больше ${line.withFiles ? adapter.maxCaption : adapter.maxText} знаков`)
  if (to.text === '') throw wrong('Напишите сообщение или удалите его')
  return adapter.edit(config, secret, line, to.text)
}

/** Both operations may be retried: an applied change stays. */
function refuseUndone(sent: Sent, kind: ChannelKind): void {
  if (sent.outcome === 'refused') throw refused(sent.reason, 'refused')
  if (sent.outcome !== 'sent') throw refused(`${channelKinds[kind]} не ответил: повторите`, 'unanswered')
}

const refused = (message: string, code: string) => new HttpError(409, message, { code })

const edit = operation(chatCalls.edit, ({ app, records, params, body }) =>
  change(app, records, params.id, { text: body.message }),
)

const remove = operation(chatCalls.remove, ({ app, records, params }) => change(app, records, params.id, 'removal'))

export const reviseCalls = [edit, remove]
