/** Letterhead of the built-in documents. */
import { extractText, getDocumentProxy } from 'unpdf'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { checkedZip } from '#platform/zip.ts'
import { picture } from '#testing/files.ts'
import { good } from '#testing/good.ts'
import { type Caller, type Clinic, testApp } from '#testing/harness.ts'

let clinic: Clinic
let admin: Caller
let idOrganization: number

beforeAll(async () => {
  clinic = await testApp({ demo: true })
  admin = clinic.as('admin')
  const own = good(
    await admin.post('/organizations', {
      shortName: 'ООО «Первая»',
      fullName: 'Общество с ограниченной ответственностью «Первая»',
      kind: 'own',
      inn: '7707083893',
      kpp: '773601001',
      ogrn: '1027700132195',
      legalAddress: '101000, Москва, ул. Мясницкая, 1',
      licenceNumber: 'Л041-01137-77/00000001',
      licenceDate: '2021-03-04',
    }),
    201,
  )
  idOrganization = own.id
})
afterAll(() => clinic.close())

const newest = async (path: string) => good(await admin.get(`/${path}?limit=1&sort=-id`)).items[0]?.id as number
const pdfs: Record<string, () => Promise<string>> = {
  'a treatment plan': async () => `/customer-plans/${await newest('customer-plans')}/print`,
  'a consent': async () => `/consents/${await newest('consents')}/print`,
  'an examination': async () => `/examinations/${await newest('examinations')}/print`,
  'an offer': async () => `/sales-management/offers/${await newest('sales-management/offers')}/pdf`,
  'a regulation': async () => `/regulations/model/pdf?id=${await newest('regulations')}`,
}
const expected = [
  'Общество с ограниченной ответственностью «Первая»',
  'ИНН 7707083893, КПП 773601001, ОГРН 1027700132195',
  'Мясницкая',
  'Лицензия Л041-01137-77/00000001 от 04.03.2021',
]
const set = async (body: object) => good(await admin.put('/settings/common', body))
const logo = async () => `data:image/png;base64,${(await picture(300, 90).png().toBuffer()).toString('base64')}`

describe('documents have the logo and the requisites of the own organization:', () => {
  it.each(Object.keys(pdfs))('%s', async (name) => {
    const address = await (pdfs[name] as () => Promise<string>)()
    await set({ mainOrganization: idOrganization, companyLogo: '' })
    const plain = await admin.get(address)
    const pictures = (bytes: Uint8Array) => Buffer.from(bytes).toString('latin1').split('/Subtype /Image').length - 1
    const before = pictures(plain.bytes)
    await set({ companyLogo: await logo() })
    const { status, bytes } = await admin.get(address)
    expect(status).toBe(200)
    // A picture with transparency is two PDF objects.
    expect(pictures(bytes)).toBeGreaterThan(before)
    const { text } = await extractText(await getDocumentProxy(new Uint8Array(bytes)), { mergePages: true })
    const words = text.replace(/\s+/g, ' ')
    for (const one of expected) expect(words).toContain(one)
    expect(words.split(expected[1] as string)).toHaveLength(2)
    // Another organization selected by the clinic, and its requisites.
    await set({ mainOrganization: null })
    const other = await extractText(await getDocumentProxy(new Uint8Array((await admin.get(address)).bytes)), {
      mergePages: true,
    })
    expect(other.text).not.toContain('7707083893')
  })

  it('a regulation as a Word document, whose letterhead the import skips', async () => {
    await set({ mainOrganization: idOrganization, companyLogo: await logo() })
    const { bytes } = await admin.get(`/regulations/model/docx?id=${await newest('regulations')}`)
    const zip = checkedZip(Buffer.from(bytes), { maxBytes: 50_000_000, maxEntries: 1_000 })
    const words = (zip.get('word/document.xml') as Buffer).toString()
    for (const one of expected) expect(words).toContain(one)
    expect([...zip.keys()].filter((name) => /^word\/media\/.*\.png$/.test(name))).toHaveLength(1)
    const file = new FormData()
    file.append('file', new Blob([new Uint8Array(bytes)]), 'Регламент.docx')
    const read = good(await admin.post('/regulations/model/import-docx', file))
    expect(JSON.stringify(read)).not.toContain('7707083893')
    expect(read.stages.flatMap(({ images }: { images: unknown[] }) => images)).toEqual([])
  })

  it("nothing without the clinic's data", async () => {
    for (const { id } of good(await admin.get('/organizations?filter[kind]=own&limit=100')).items)
      good(await admin.put(`/organizations/${id}`, { active: false }))
    await set({ mainOrganization: null, companyLogo: '', clinicName: '', companyBrand: '' })
    const { bytes } = await admin.get(await (pdfs['a treatment plan'] as () => Promise<string>)())
    const { text } = await extractText(await getDocumentProxy(new Uint8Array(bytes)), { mergePages: true })
    expect(text).not.toContain('ИНН')
    expect(text).toContain('План лечения и смета')
  })
})
