import {
  ChatChannel,
  ChatDomain,
  ChatGroup,
  ChatSuggestion,
  offAtFirst,
} from '@ordinator/model/areas/chats/chatSettings'
import {
  ChatFile,
  ChatMessage,
  ChatMessageFile,
  ChatMessageVersion,
  ChatNote,
  ChatVersionFile,
  chatStatuses,
  LiveAssist,
  Visitor,
} from '@ordinator/model/areas/chats/liveAssist'
import { Customer } from '@ordinator/model/areas/customers/customer'
import sql from 'sql-template-tag'
import { fileRecords } from '#areas/files/index.ts'
import { notify, whoSee } from '#areas/notifications/index.ts'
import { newWebhookKey } from '#platform/webhook.ts'
import { records } from '#records/define.ts'
import { labelSql } from '#records/labels.ts'
import { awaitsSql, SUPERVISES, servesSql } from './availability.ts'
import { keepAppSecret, keepToken } from './channels/secrets.ts'
import { lockChat, withLine } from './lines.ts'

const opens = (row: ReturnType<typeof sql>) => sql`'/live-assist?chat=' || ${row}`

/** Characters of a chat's name. */
const MAX_NAME = 128

const liveAssist = records(LiveAssist, {
  found: {
    on: ['liveAssist', 'chatJournal'],
    group: 'Чаты',
    by: ['name', 'phone', 'email'],
    opens: ({ row, holds }) => (holds('supportOperator') ? opens(sql`${row}."id"`) : sql`'/journal/chats'`),
    hint: ({ row }) => sql`coalesce(${row}."sourceName", ${row}."phone")`,
  },
  thread: {
    of: 'customers',
    kind: 'chats',
    name: 'Чаты',
    when: 'dateCreate',
    belongs: ({ row }, id) => sql`${row}."idCustomer" = ${id}`,
    title: ({ row }) => sql`coalesce(${row}."sourceName", 'Чат на сайте')`,
    hint: ({ row }) => labelSql(sql`${row}."status"`, chatStatuses),
    opens: ({ row, holds }) => (holds('supportOperator') ? opens(sql`${row}."id"`) : sql`null`),
    author: ({ row }) => sql`${row}."idUser"`,
  },
  awaiting: { page: 'liveAssist', of: () => ({ 'filter[status]': 'active', 'filter[awaitsMe]': '1' }) },
  computed: {
    numberOfUnreadMessages: ({ row }) => sql`greatest(0, ${row}."inCount" - ${row}."readIn")`,
    averageAnswerTime: ({ row }) => sql`round(${row}."answerSum"::numeric / nullif(${row}."answerCount", 0))::int`,
    awaitsMe: awaitsSql,
    isForMe: ({ row, me, holds }) => (holds(SUPERVISES) ? sql`true` : servesSql(me, sql`${row}."idGroup"`)),
  },
  hooks: {
    // Colleagues search by the patient's name, not by that given in the chat.
    async beforeUpdate({ records }, value, before) {
      if (!value.idCustomer || value.idCustomer === before.idCustomer || value.name !== undefined) return
      const { fio } = await records.asSystem.row(Customer, value.idCustomer)
      if (fio) value.name = fio.slice(0, MAX_NAME)
    },
  },
})

/** A counter of the message's chat. */
const ofChat = (row: ReturnType<typeof sql>, field: 'readIn' | 'readOut' | 'deliveredOut') =>
  ({
    readIn: sql`(select c."readIn" from live_assist c where c."id" = ${row}."idLiveAssist")`,
    readOut: sql`(select c."readOut" from live_assist c where c."id" = ${row}."idLiveAssist")`,
    deliveredOut: sql`(select c."deliveredOut" from live_assist c where c."id" = ${row}."idLiveAssist")`,
  })[field]

/** A line not accepted by the messenger counts as undelivered, whatever the later lines. */
const isOfChannel = (row: ReturnType<typeof sql>) =>
  sql`(select c."idChannel" is not null from live_assist c where c."id" = ${row}."idLiveAssist")`

const messages = records(ChatMessage, {
  computed: {
    isRead: ({ row }) => sql`(case ${row}."kind" when 'visitor' then ${row}."no" <= ${ofChat(row, 'readIn')}
      when 'system' then true else ${row}."no" <= ${ofChat(row, 'readOut')} end)`,
    state: ({
      row,
    }) => sql`(case when ${row}."failure" is not null then 'failed' when ${row}."kind" in ('visitor', 'system') then 'read'
      when ${row}."idExternal" is null and ${isOfChannel(row)} then 'sent'
      when ${row}."no" <= ${ofChat(row, 'readOut')} then 'read'
      when ${row}."no" <= ${ofChat(row, 'deliveredOut')} then 'delivered' else 'sent' end)`,
  },
})

const versions = records(ChatMessageVersion, {
  scope: {
    view: ({ row }) =>
      sql`(select m."dateRemoved" is null from live_assist_messages m where m."id" = ${row}."idMessage")`,
    unless: 'superviseLiveAssist',
  },
})

/** Maximum number of colleagues named in a note. */
const MOST_NAMED = 20

const notes = records(ChatNote, {
  scope: { delete: ({ row, me }) => sql`${row}."idUser" = ${me}` },
  hooks: {
    async beforeCreate({ records, tx }, value) {
      const { lastSeq, id } = await lockChat(records.asSystem, tx, value.idLiveAssist)
      await records.asSystem.update(LiveAssist, id, { lastSeq: lastSeq + 1 })
      Object.assign(value, { seq: lastSeq + 1, ...value })
    },
    /** Notifies the chat's operator and the named colleagues. */
    async afterCreate(context, note) {
      const chat = await context.records.asSystem.row(LiveAssist, note.idLiveAssist)
      const notice = {
        text: note.text.slice(0, 300),
        path: LiveAssist.path,
        idEntity: chat.id,
        link: `/live-assist?chat=${chat.id}`,
      }
      const named = await whoSee(context, ChatNote, note.id, note.mentions.slice(0, MOST_NAMED))
      await notify(context, named, { kind: 'chat.mention', title: `Вас упомянули в чате: ${chat.name}`, ...notice })
      if (chat.status !== 'active' || chat.handler !== 'human' || chat.idUser === null) return
      if (!named.includes(chat.idUser))
        await notify(context, [chat.idUser], { kind: 'chat.note', title: `Заметка в чате: ${chat.name}`, ...notice })
    },
  },
})

const channels = records(ChatChannel, {
  hooks: {
    prepare(value) {
      if (value.token !== undefined)
        Object.assign(value, { dateToken: value.token ? new Date().toISOString() : null, dateChecked: null })
    },
    beforeCreate(_context, value) {
      Object.assign(
        value,
        { key: newWebhookKey(), ...value },
        value.kind && offAtFirst.has(value.kind) && { active: false },
      )
    },
    async afterCreate({ tx }, row, value) {
      await keepToken(tx, row.id, value.token)
      await keepAppSecret(tx, row.id, value.appSecret)
    },
    async beforeUpdate({ tx }, value, before) {
      await keepToken(tx, before.id, value.token)
      await keepAppSecret(tx, before.id, value.appSecret)
    },
    afterDelete: ({ tx }, row) => keepToken(tx, row.id, ''),
    async afterRestore({ records }, { id }) {
      await records.asSystem.update(ChatChannel, id, { dateToken: null, dateChecked: null })
    },
  },
})

const domains = records(ChatDomain, {
  hooks: {
    beforeCreate(_context, value) {
      Object.assign(value, { key: `w_${newWebhookKey()}`, ...value, name: value.name.toLowerCase() })
    },
    beforeUpdate(_context, value, before) {
      if (value.name !== undefined) value.name = value.name.toLowerCase()
      if (value.consentText !== undefined && value.consentText !== before.consentText)
        Object.assign(value, { consentVersion: before.consentVersion + 1 })
    },
  },
})

export const chatRecords = [
  domains,
  channels,
  records(ChatGroup),
  records(ChatSuggestion),
  records(Visitor),
  liveAssist,
  messages,
  notes,
  // Files of a deleted line are visible only to readers of its versions.
  fileRecords(ChatFile, {
    view: ({ row }) =>
      sql`not exists (select from live_assist_version_files f where f."idFile" = ${row}."id" and not f."deleted")`,
    unless: 'superviseLiveAssist',
  }),
  records(ChatMessageFile, { hooks: withLine }),
  versions,
  records(ChatVersionFile),
]
