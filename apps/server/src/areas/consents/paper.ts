/** Text of a consent filled in with the patient's data, for the screen and paper. */
import { consentCalls } from '@ordinator/model/areas/consents/calls'
import { type Channel, Consent, channels, type Signer } from '@ordinator/model/areas/consents/consent'
import type { RepresentativeFacts } from '@ordinator/model/areas/consents/rules'
import { type ConsentValues, filledText } from '@ordinator/model/areas/consents/text'
import { relationKinds } from '@ordinator/model/areas/customers/customer'
import { documentTypes } from '@ordinator/model/areas/customers/documents'
import type { Row } from '@ordinator/model/entity'
import { formatDay } from '@ordinator/model/format'
import { phoneText } from '@ordinator/model/phone'
import sql, { raw } from 'sql-template-tag'
import { letterheadOf } from '#areas/filials/index.ts'
import { readCommonSettings } from '#areas/settings/index.ts'
import { fioSql } from '#areas/staff/index.ts'
import type { Queryable } from '#platform/db.ts'
import { sendPdf } from '#platform/disposition.ts'
import { drawing, pressOf } from '#platform/pdfPool.ts'
import type { AppContext } from '#records/context.ts'
import { journalActor } from '#records/journal.ts'
import { operation } from '#records/operation.ts'
import { escaped } from '#records/sanitize.ts'
import { clinicDay } from './consents.ts'

const drawn = drawing<typeof import('./drawConsent.ts')>(new URL('./drawConsent.ts', import.meta.url))

/** The patient of a document, and its signer. */
export interface SignerFacts {
  fio: string
  birthday: string | null
  phone: string | null
  /** Null: the patient signs. */
  representative: (RepresentativeFacts & Signer & { phone: string | null }) | null
}

/** Data of the card and the signer used in a consent and its rules. */
export interface Facts extends SignerFacts {
  /** Of the version. */
  text: string
  months: number
  values: ConsentValues
}

interface FactsRow {
  documentType: keyof typeof documentTypes
  numberPassport: string | null
  issuedByPassport: string | null
  datePassport: string | null
  address: string | null
  text: string
  months: number
}

interface SignerRow {
  fio: string
  birthday: string | null
  phone: string | null
  relation: keyof typeof relationKinds | null
  signs: 'yes' | 'no'
  dateTo: string | null
  document: string | null
  relative: string | null
  idRelative: number | null
  relativePhone: string | null
}

/** Signer of a document of this card. @param of `idRelation`: one of its representatives; null: the patient */
export async function signerFacts(
  db: Queryable,
  of: { idCustomer: number; idRelation: number | null },
): Promise<SignerFacts> {
  const one = (await db.one<SignerRow>(sql`
    select ${fioSql(raw('c'))} as fio, to_char(c."birthday", 'DD.MM.YYYY') as birthday, c."phone",
      r."relation", r."signs", r."dateTo"::text as "dateTo", r."document",
      coalesce(case when p."id" is not null then ${fioSql(raw('p'))} end, r."fio") as relative, p."id"::int as "idRelative",
      coalesce(r."phone", p."phone") as "relativePhone"
    from customers c left join customers_relations r on r."id" = ${of.idRelation} and not r."deleted"
    left join customers p on p."id" = r."idRelative" where c."id" = ${of.idCustomer}`)) as SignerRow
  const { fio, birthday, phone } = one
  const representative =
    one.relation === null
      ? null
      : {
          fio: one.relative ?? '',
          relation: relationKinds[one.relation],
          document: one.document,
          phone: one.relativePhone,
          signs: one.signs,
          dateTo: one.dateTo,
          ...(one.idRelative !== null && { idCustomer: one.idRelative }),
        }
  return { fio, birthday, phone, representative }
}

/** @param day in the text, YYYY-MM-DD */
export async function factsOf(db: Queryable, consent: Row<typeof Consent>, day: string): Promise<Facts> {
  const signer = await signerFacts(db, consent)
  const one = (await db.one<FactsRow>(sql`
    select c."documentType", c."numberPassport", c."issuedByPassport", c."datePassport"::text as "datePassport",
      coalesce(c."address", c."factAddressAsString") as address, v."text", t."months"
    from customers c join consents_versions v on v."id" = ${consent.idVersion}
    join consents_templates t on t."id" = v."idTemplate" where c."id" = ${consent.idCustomer}`)) as FactsRow
  const { fio, birthday, phone, representative } = signer
  const { clinicName } = await readCommonSettings(db)
  const issued = [one.issuedByPassport, one.datePassport && formatDay(one.datePassport)].filter(Boolean).join(', ')
  const values: ConsentValues = {
    фио: fio,
    'дата рождения': birthday ?? '',
    документ: one.numberPassport
      ? [`${documentTypes[one.documentType]} ${one.numberPassport}`, issued && `выдан ${issued}`]
          .filter(Boolean)
          .join(', ')
      : '',
    адрес: one.address ?? '',
    телефон: phoneText(phone) ?? '',
    подписывает: representative?.fio ?? fio,
    представитель: representative ? `${representative.fio} (${representative.relation.toLowerCase()})` : '',
    'документ представителя': representative?.document ?? '',
    цель: consent.purpose,
    'способы связи': consent.channels.map((channel: Channel) => channels[channel].toLowerCase()).join(', '),
    клиника: clinicName,
    дата: formatDay(day),
  }
  return { ...signer, text: one.text, months: one.months, values }
}

export const signerOf = ({ representative }: SignerFacts): Signer | null =>
  representative && {
    fio: representative.fio,
    relation: representative.relation,
    document: representative.document,
    ...(representative.idCustomer !== undefined && { idCustomer: representative.idCustomer }),
  }

/** A signed text is unchanged. */
async function htmlOf(db: Queryable, consent: Row<typeof Consent>): Promise<string> {
  const facts = await factsOf(db, consent, await clinicDay(db))
  return filledText(facts.text, consent.filled ?? facts.values, escaped)
}

export const text = operation(consentCalls.text, async ({ app, records, actor, params }) => {
  const consent = await records.row(Consent, params.id)
  const html = await htmlOf(app.db, consent)
  await app.journal({ ...journalActor(actor), action: 'view', ...journalled(consent) })
  return { html }
})

export const print = operation(consentCalls.print, async ({ app, records, actor, params, reply }) => {
  const consent = await records.row(Consent, params.id)
  const bytes = await consentPaper(app, consent, actor)
  await app.journal({ ...journalActor(actor), action: 'print', ...journalled(consent) })
  return sendPdf(reply, `${consent.name}.pdf`, bytes)
})

/** @param who the printing user */
export async function consentPaper(
  app: AppContext,
  consent: Row<typeof Consent>,
  who: { id: number | string },
): Promise<Uint8Array> {
  const facts = await factsOf(app.db, consent, await clinicDay(app.db))
  const head = await letterheadOf(app.db)
  const html = filledText(facts.text, consent.filled ?? facts.values, escaped)
  const signer = consent.filled?.подписывает ?? facts.values.подписывает ?? ''
  return pressOf(app).run(drawn, { name: consent.name, head, html, signer }, who)
}

/** Fields of an access journal line that identify the consent and the patient. */
export const journalled = ({ id, idCustomer }: Row<typeof Consent>) => ({
  entityType: Consent.path,
  idEntity: id,
  idCustomer,
})
