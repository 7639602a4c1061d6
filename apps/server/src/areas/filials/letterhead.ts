/** Letterhead of the built-in documents: the clinic's name, its logo, and the requisites of its own organization. */
import { formatDay } from '@ordinator/model/format'
import { phoneText } from '@ordinator/model/phone'
import sql from 'sql-template-tag'
import { pictureNamed, readCommonSettings } from '#areas/settings/index.ts'
import type { Queryable } from '#platform/db.ts'
import type { Letterhead } from '#platform/letterhead.ts'

/** The organization selected for documents, else the first own one. */
export const ownOrganization = async (db: Queryable, chosen: number | null): Promise<number | undefined> =>
  (
    await db.one<{ id: number }>(sql`select "id"::int as id from organizations
      where "kind" = 'own' and "active" and not "deleted" order by "id" = ${chosen} desc nulls last, "id" limit 1`)
  )?.id

interface Requisites {
  shortName: string
  fullName: string | null
  inn: string | null
  kpp: string | null
  ogrn: string | null
  legalAddress: string | null
  phone: string | null
  licenceNumber: string | null
  licenceDate: string | null
  licenceIssuer: string | null
}

export async function letterheadOf(db: Queryable): Promise<Letterhead> {
  const { clinicName, companyBrand, companyLogo, companyColor, companyPhone, mainOrganization } =
    await readCommonSettings(db)
  const own =
    await db.one<Requisites>(sql`select "shortName", "fullName", "inn", "kpp", "ogrn", "legalAddress", "phone",
      "licenceNumber", "licenceDate"::text as "licenceDate", "licenceIssuer"
    from organizations where "id" = ${(await ownOrganization(db, mainOrganization)) ?? null}`)
  const logo = companyLogo ? await pictureNamed(db, companyLogo) : undefined
  const name = clinicName || companyBrand || own?.shortName || ''
  return {
    name,
    lines: own ? linesOf(own, name, companyPhone) : [],
    logo: logo ? new Uint8Array(logo) : null,
    color: companyColor,
  }
}

function linesOf(own: Requisites, name: string, companyPhone: string): string[] {
  const called = own.fullName || own.shortName
  const labelled = (label: string, value: string | null) => value && `${label} ${value}`
  const licence = [
    labelled('Лицензия', own.licenceNumber),
    labelled('от', own.licenceDate && formatDay(own.licenceDate)),
    own.licenceIssuer,
  ]
  return [
    called === name ? '' : called,
    [labelled('ИНН', own.inn), labelled('КПП', own.kpp), labelled('ОГРН', own.ogrn)].filter(Boolean).join(', '),
    [own.legalAddress, companyPhone || phoneText(own.phone)].filter(Boolean).join(', '),
    own.licenceNumber ? licence.filter(Boolean).join(' ') : '',
  ].filter(Boolean)
}
