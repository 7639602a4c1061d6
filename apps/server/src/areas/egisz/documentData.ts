/** Data common to all documents: the clinic, the patient and the signers. */
import sql from 'sql-template-tag'
import { ownOrganization } from '#areas/filials/index.ts'
import { readCommonSettings } from '#areas/settings/index.ts'
import type { Queryable } from '#platform/db.ts'
import type { Mending, SourceData } from './sources.ts'

/** Places to correct missing values, by the prefix of their name. */
export const generalMending: Readonly<Record<string, Mending>> = {
  patient: { label: 'Карта клиента', link: '/customer/:customer' },
  'patient.snils': { label: 'СНИЛС клиента', link: '/customer/:customer' },
  'patient.birthday': { label: 'Дата рождения клиента', link: '/customer/:customer' },
  'patient.gender': { label: 'Пол клиента', link: '/customer/:customer' },
  'patient.name': { label: 'Имя клиента', link: '/customer/:customer' },
  org: { label: 'Наша организация: реквизиты', link: '/settings/organizations' },
  'org.oid': { label: 'ОИД организации', link: '/settings/egisz' },
  'org.inn': { label: 'ИНН организации', link: '/settings/organizations' },
  'org.phone': { label: 'Телефон организации', link: '/settings/organizations' },
  'org.licence': { label: 'Лицензия организации: номер и кем выдана', link: '/settings/organizations' },
  doctor: { label: 'Карточка врача', link: '/users/:user' },
  snils: { label: 'СНИЛС подписывающего сотрудника', link: '/users/:user' },
  post: { label: 'Должность врача в ФРМР', link: '/settings/egisz-staff' },
  postName: { label: 'Название должности врача в ФРМР', link: '/settings/egisz-staff' },
  region: { label: 'Регион в адресе: код', link: '/customer/:customer' },
  regionName: { label: 'Регион в адресе', link: '/customer/:customer' },
  text: { label: 'Адрес', link: '/customer/:customer' },
  series: { label: 'Серия и номер паспорта', link: '/customer/:customer' },
  issuer: { label: 'Кем выдан паспорт', link: '/customer/:customer' },
  date: { label: 'Дата выдачи паспорта', link: '/customer/:customer' },
}

interface PatientRow {
  id: number
  number: string
  surname: string
  name: string | null
  patronymic: string | null
  snils: string | null
  gender: 'male' | 'female' | 'none'
  birthday: string | null
  phone: string | null
  passport: string | null
  issuer: string | null
  issuerCode: string | null
  datePassport: string | null
  address: string | null
  post: string | null
  region: string | null
  regionCode: string | null
  policy: string | null
}

interface OrganizationRow {
  name: string
  inn: string | null
  ogrn: string | null
  oid: string | null
  address: string | null
  phone: string | null
  licence: string | null
  licenceIssuer: string | null
}

/** Number of the federal subject from the first two digits of ИНН, for an address without a code. */
const regionOf = (inn: string | null): string | null => inn?.slice(0, 2) ?? null

/** A signer: the document's doctor, or the clinic's signer. */
export async function personOf(db: Queryable, idUser: number) {
  return db.one<
    Record<string, unknown>
  >(sql`select u."id"::int as id, u."surname", u."name", u."middleName" as patronymic,
      u."snils", u."phone", f."post", coalesce(nullif(f."postName", ''), u."post") as "postName"
    from users u left join lateral (select "post", "postName" from egisz_staff f where f."idUser" = u."id" and not f."deleted"
      order by f."frmr" = 'found' desc, f."dateFrmr" desc nulls last, f."id" limit 1) f on true where u."id" = ${idUser}`)
}

const patientOf = async (db: Queryable, idCustomer: number): Promise<PatientRow> =>
  (await db.one<PatientRow>(sql`
    select p."id"::int as id, coalesce(nullif(p."cardNumber", ''), p."id"::text) as number, p."surname", p."name",
      p."middleName" as patronymic, p."snils", p."gender", p."birthday"::text as birthday, p."phone", nullif(p."numberPassport", '') as passport,
      p."issuedByPassport" as issuer, p."issuedByPassportCode" as "issuerCode", p."datePassport"::text as "datePassport",
      coalesce(nullif(p."factAddressAsString", ''), nullif(p."address", '')) as address,
      coalesce(nullif(p."postalCodeFact", ''), nullif(p."postalCode", '')) as post,
      coalesce(nullif(p."regionFact", ''), nullif(p."region", '')) as region, nullif(p."regionCodeFact", '') as "regionCode",
      (select "number" from customers_policies o where o."idCustomer" = p."id" and o."type" = 'oms' and not o."deleted" order by o."id" desc limit 1) as policy
    from customers p where p."id" = ${idCustomer}`)) as PatientRow

/** The clinic's own organization. */
const organizationOf = async (db: Queryable, idMain: number | null) =>
  db.one<OrganizationRow>(sql`
    select coalesce(nullif("fullName", ''), "shortName") as name, "inn", "ogrn", "oid", "legalAddress" as address, "phone",
      "licenceNumber" as licence, "licenceIssuer" as "licenceIssuer"
    from organizations where "id" = ${(await ownOrganization(db, idMain)) ?? null}`)

export interface AboutDocument {
  number: string
  set: string
  version: number
}

/** All values available to a template. @param versions of active dictionaries, by the names that templates use */
export async function documentData(
  db: Queryable,
  source: SourceData,
  about: AboutDocument,
  kind: { templateId: string; type: string; typeName: string; needsInn: boolean },
  versions: Readonly<Record<string, string>>,
): Promise<Record<string, unknown>> {
  const settings = await readCommonSettings(db)
  const patient = await patientOf(db, source.idCustomer)
  const own = await organizationOf(db, settings.mainOrganization)
  const branch = await db.one<{
    region: string | null
    oid: string | null
  }>(sql`select "regionName" as region, "departmentOID" as oid from filials where not "deleted"
    order by "id" = ${source.idFilial} desc nulls last, "id" limit 1`)
  const series = /^\D*(\d{2}\s?\d{2})\D*(\d{6})\D*$/.exec(patient.passport ?? '')
  const digits = patient.phone?.replace(/[^\d+]/g, '')
  const orgPhone = (own?.phone || settings.companyPhone || '').replace(/[^\d+]/g, '')
  const doctor = await personOf(db, source.idUser)
  return {
    kind,
    versions,
    // For an МИС without a number in the register: its first instance.
    system: { number: '1', instance: '1' },
    document: { ...about, title: source.title, date: source.date },
    org: {
      oid: settings.egiszOid || own?.oid,
      name: own?.name,
      inn: own?.inn,
      ogrn: own?.ogrn,
      phone: orgPhone,
      licence: { number: own?.licence, issuer: own?.licenceIssuer },
      ...(own?.address && {
        address: {
          text: own.address,
          region: regionOf(own.inn),
          regionName: branch?.region,
          post: /\b\d{6}\b/.exec(own.address)?.[0],
        },
      }),
    },
    patient: {
      number: patient.number,
      surname: patient.surname,
      name: patient.name,
      patronymic: patient.patronymic,
      snils: patient.snils?.replace(/\D/g, ''),
      gender:
        patient.gender === 'male'
          ? { code: '1', name: 'Мужской' }
          : patient.gender === 'female'
            ? { code: '2', name: 'Женский' }
            : undefined,
      birthday: patient.birthday,
      phone: digits,
      policy: patient.policy ? { number: patient.policy } : undefined,
      passport: series
        ? {
            series: series[1]?.replace(/\s/g, ''),
            number: series[2],
            issuer: patient.issuer,
            issuerCode: patient.issuerCode,
            date: patient.datePassport,
          }
        : undefined,
      address: patient.address
        ? {
            text: patient.address,
            region: patient.regionCode ?? regionOf(own?.inn ?? null),
            regionName: patient.region ?? branch?.region,
            post: patient.post,
          }
        : undefined,
    },
    department: { oid: branch?.oid },
    doctor,
    signer: settings.egiszSigner ? ((await personOf(db, settings.egiszSigner)) ?? doctor) : doctor,
    ...source.fields,
  }
}
