/** A clinic connected to the simulated register. */

import type { Finding } from '@ordinator/model/areas/egisz/semd'
import sql from 'sql-template-tag'
import { afterAll, beforeAll, beforeEach } from 'vitest'
import { type EgiszSimulator, startEgisz } from '#testing/egiszSimulator.ts'
import { good } from '#testing/good.ts'
import { type Caller, type Clinic, testApp } from '#testing/harness.ts'
import { addPerson } from '#testing/people.ts'
import { registerSemdSource, type SourceData } from '../sources.ts'

export const TOKEN = 'a-token-of-the-register'
export let simulator: EgiszSimulator
export let clinic: Clinic
export let url: string
export let chief: Caller
export let doctor: Caller
let idDoctor: number
let idCustomer: number
/** Laboratory data of a record, set by the tests. */
export const laboratoryOf = new Map<number, Partial<SourceData>>()

/** A document type that no code refers to. */
const TEMPLATE = `<?xml version="1.0" encoding="UTF-8"?>
<ClinicalDocument xmlns="urn:hl7-org:v3"><id>{{document.number}}</id><patient snils="{{patient.snils!}}">{{patient.surname!}}</patient>{{#result}}<result code="{{code}}" codeSystem="1.2.3.4" displayName="{{name}}">{{value}}</result>{{/result}}{{^result}}{{result!}}{{/result}}</ClinicalDocument>`
export const XSD = `<xs:schema xmlns:xs="http://www.w3.org/2001/XMLSchema" targetNamespace="urn:hl7-org:v3" elementFormDefault="qualified"><xs:element name="ClinicalDocument"><xs:complexType><xs:sequence>
<xs:element name="id" type="xs:string"/><xs:element name="patient"><xs:complexType><xs:simpleContent><xs:extension base="xs:string"><xs:attribute name="snils" use="required"><xs:simpleType><xs:restriction base="xs:string"><xs:pattern value="[0-9]{11}"/></xs:restriction></xs:simpleType></xs:attribute></xs:extension></xs:simpleContent></xs:complexType></xs:element>
<xs:element name="result"><xs:complexType><xs:simpleContent><xs:extension base="xs:string"><xs:attribute name="code"/><xs:attribute name="codeSystem"/><xs:attribute name="displayName"/></xs:extension></xs:simpleContent></xs:complexType></xs:element>
</xs:sequence></xs:complexType></xs:element></xs:schema>`
const SCHEMATRON = `<schema xmlns="http://purl.oclc.org/dsdl/schematron" queryBinding="xslt2"><pattern><rule context="ClinicalDocument/result"><assert test=". != 'плохо'">У9-1. Результат не может быть плохим.</assert><assert test="string-length(.) &lt; 20">У9-2. Результат слишком длинный.</assert></rule></pattern></schema>`

export async function put(id: number, kind: string, name: string, text: string) {
  return chief.put(`/egisz/editions/${id}/files`, { kind, name, content: Buffer.from(text).toString('base64') })
}

export let records = 0
export const RESULT = { code: '1', name: 'Норма', value: 'хорошо' }
export async function make(fields: Record<string, unknown> = { result: RESULT }) {
  const id = ++records
  laboratoryOf.set(id, { fields })
  return good(await doctor.post('/egisz/semds/make', { source: 'laboratory', id }), 201) as Semd
}
export interface Semd {
  id: number
  status: string
  findings: Finding[]
  localUid: string
  emdrId: string | null
  error: string | null
  version: number
  dueRole: string | null
}

/** Registers the set-up of the file's tests. */
export function openEgiszClinic(): void {
  beforeAll(async () => {
    simulator = await startEgisz({ token: TOKEN })
    clinic = await testApp({
      env: { EGISZ_URL: simulator.url },
      prepare: async (app) => {
        await addPerson(app, 'chief', [
          'mainSettings',
          'manageSignatures',
          'viewReportEgiszOperationsLog',
          'viewReportEgiszMessages',
          'viewCustomers',
          'editCustomers',
        ])
        await addPerson(app, 'doctor', ['editExaminations', 'viewExaminations'])
        await addPerson(app, 'stranger', ['editExaminations'])
      },
    })
    url = await clinic.listen()
    chief = clinic.as('chief')
    doctor = clinic.as('doctor')
    idDoctor = (await clinic.db.one<{ id: number }>(sql`select "id"::int as id from users where "login" = 'doctor'`))
      ?.id as number
    good(
      await chief.put('/settings/common', {
        egiszMode: 'simulator',
        egiszOid: '1.2.643.5.1.13.13.12.2.63.9999',
        egiszCallback: `${url}/egisz/callback`,
        egiszCallbackToken: TOKEN,
        egiszSend: true,
        signaturePlugin: 'simulator',
        _versions: {},
      }),
    )
    idCustomer = good(
      await chief.post('/customers', { surname: 'Тестова', name: 'Анна', gender: 'female', snils: '112-233-445 95' }),
      201,
    ).id
    good(
      await chief.post('/egisz/documents', { kind: 'laboratory', code: '9001', edition: 1, dateFrom: '2026-01-01' }),
      201,
    )
    registerSemdSource(clinic.context, {
      kind: 'laboratory',
      read: async (_db, id) => ({
        title: `Исследование ${id}`,
        idCustomer,
        idUser: idDoctor,
        idFilial: null,
        date: '2026-11-26T09:30:00+04:00',
        fields: {},
        ...laboratoryOf.get(id),
      }),
      mend: { result: { label: 'Результат исследования', link: '/laboratory/:id' } },
    })
    const edition = good(
      await chief.post('/egisz/editions', {
        code: '9001',
        name: 'Четвёртый вид',
        typeCode: '7',
        typeName: 'Протокол',
        templateId: '1.2.3',
      }),
      201,
    )
    await put(edition.id, 'template', 'fourth.xml', TEMPLATE)
    await put(edition.id, 'xsd', 'CDA.xsd', XSD)
    await put(edition.id, 'schematron', 'fourth.sch', SCHEMATRON)
  })
  afterAll(async () => {
    await clinic.close()
    await simulator.close()
  })
  beforeEach(() => {
    simulator.mood = 'takes'
    simulator.moodOf = undefined
  })
}
