import {
  type Channel,
  Consent,
  ConsentTemplate,
  ConsentVersion,
  consentStatuses,
} from '@ordinator/model/areas/consents/consent'
import { placeNames, strangePlace } from '@ordinator/model/areas/consents/text'
import type { Row, Update } from '@ordinator/model/entity'
import { dayIn } from '@ordinator/model/zone'
import sql, { raw, type Sql } from 'sql-template-tag'
import { clinicToday, readCommonSettings } from '#areas/settings/index.ts'
import type { Queryable, Tx } from '#platform/db.ts'
import { HttpError, ValidationError } from '#platform/errors.ts'
import { printableErrors } from '#platform/pdfFonts.ts'
import { records } from '#records/define.ts'
import { refuseInUse } from '#records/inUse.ts'
import { labelSql } from '#records/labels.ts'
import { searchTarget } from '#records/searchTarget.ts'

/** Today in the clinic's time zone, YYYY-MM-DD. */
export const clinicDay = async (db: Queryable): Promise<string> =>
  dayIn((await readCommonSettings(db)).timeZone, Date.now())

export const templates = records(ConsentTemplate, {
  found: searchTarget('consentTemplates'),
  computed: {
    version: ({ row }) => sql`(select v."number" from consents_versions v where v."idTemplate" = ${row}."id"
      and v."dateFrom" <= ${clinicToday} order by v."dateFrom" desc, v."number" desc limit 1)`,
  },
  hooks: {
    beforeDelete: ({ tx }, { id }) =>
      refuseInUse(
        tx,
        [
          {
            count: sql`select count(*) from consents c join consents_versions v on v."id" = c."idVersion"
              where v."idTemplate" = ${id} and not c."deleted"`,
            words: ['согласие пациента', 'согласия пациентов', 'согласий пациентов'],
          },
        ],
        'Измените его новой версией: подписанные согласия ссылаются на прежние тексты',
      ),
  },
})

export const versions = records(ConsentVersion, {
  hooks: {
    prepare(value) {
      const unprintable = printableErrors('text', value.text ?? '')
      if (unprintable.length) throw new ValidationError(unprintable)
      const strange = strangePlace(value.text ?? '')
      if (strange === undefined) return
      const known = Object.keys(placeNames).map((place) => `{${place}}`)
      throw new ValidationError([
        { field: 'text', message: `Неизвестное место {${strange.slice(0, 40)}}: можно ${known.join(', ')}` },
      ])
    },
    /** Serializes the numbering of versions of a template. */
    async beforeCreate({ tx }, value) {
      await tx.query(sql`select 1 from consents_templates where "id" = ${value.idTemplate} for update`)
      const last = await tx.one<{ number: number | null }>(
        sql`select max("number") as number from consents_versions where "idTemplate" = ${value.idTemplate}`,
      )
      Object.assign(value, { number: (last?.number ?? 0) + 1, ...value })
    },
  },
})

/** The status, as `statusOf` of the model computes it. */
export const statusSql = (row: Sql): Sql => sql`case when ${row}."revokedAt" is not null then 'revoked'
  when ${row}."signedAt" is null then 'draft' when ${row}."validTo" < ${clinicToday} then 'expired' else 'signed' end`

/** As `mayAdvertise` of the model. @param channel SQL of the channel, as named in consents */
export const mayAdvertiseSql = (idCustomer: Sql, channel: Sql): Sql => sql`exists (select from consents ad
  where ad."idCustomer" = ${idCustomer} and ad."type" = 'ads' and not ad."deleted" and ${channel} = any (ad."channels")
    and ${statusSql(raw('ad'))} = 'signed')`

/** Fields of a signed consent that remain writable. */
const afterSigning: ReadonlySet<string> = new Set(['idFile', '_version'])

export const consentRecords = records(Consent, {
  thread: {
    of: 'customers',
    kind: 'consents',
    name: 'Согласия',
    when: 'dateCreate',
    belongs: ({ row }, id) => sql`${row}."idCustomer" = ${id}`,
    title: ({ row }) => sql`${row}."name"`,
    hint: ({ row }) => labelSql(statusSql(row), consentStatuses),
    opens: ({ row }) => sql`'/customers/edit?id=' || ${row}."idCustomer" || '&tab=consents'`,
    author: ({ row }) => sql`${row}."idUser"`,
  },
  computed: { status: ({ row }) => statusSql(row) },
  hooks: {
    async beforeCreate({ tx }, value) {
      const of = await tx.one<{ name: string; type: string; purpose: string }>(sql`
        select t."name", t."type", v."purpose" from consents_versions v
        join consents_templates t on t."id" = v."idTemplate" where v."id" = ${value.idVersion}`)
      if (!of) throw new ValidationError([{ field: 'idVersion', message: 'Запись не найдена' }])
      // Clients cannot set these.
      Object.assign(value, { name: of.name, type: of.type, purpose: of.purpose, ...value })
      checkChannels(of.type, value.channels)
      await checkLinks(tx, value.idCustomer, value)
    },
    async beforeUpdate({ actor, tx }, value, before) {
      if (!actor.system && before.signedAt !== null) assertUntouched(value, before)
      if (value.channels) checkChannels(before.type, value.channels)
      await checkLinks(tx, before.idCustomer, value)
    },
  },
})

/** A signed consent is immutable; only its scan may be added. */
function assertUntouched(value: Update<typeof Consent>, before: Row<typeof Consent>): void {
  const now = new Map(Object.entries(before))
  const changed = Object.entries(value).find(
    ([field, given]) => !afterSigning.has(field) && JSON.stringify(given) !== JSON.stringify(now.get(field)),
  )
  if (changed)
    throw new ValidationError([{ field: changed[0], message: 'Подписанное не меняют: отзовите его и оформите новое' }])
}

function checkChannels(type: string, given: readonly Channel[] = []): void {
  if (type === 'ads' && given.length === 0)
    throw new ValidationError([{ field: 'channels', message: 'Выберите, как клиент согласен получать рекламу' }])
}

/** The signer must belong to the same card. */
async function checkLinks(tx: Tx, idCustomer: number, { idRelation }: { idRelation?: number | null }): Promise<void> {
  if (!idRelation) return
  const own = await tx.one(sql`select 1 from customers_relations
    where "id" = ${idRelation} and "idCustomer" = ${idCustomer} and not "deleted"`)
  if (!own) throw new ValidationError([{ field: 'idRelation', message: 'Это представитель другого клиента' }])
}

/** @throws HttpError 409 unless the consent is a draft */
export function assertDraft({ status }: Pick<Row<typeof Consent>, 'status'>): void {
  if (status !== 'draft')
    throw new HttpError(409, status === 'revoked' ? 'Это согласие отозвано' : 'Это согласие уже подписано')
}
