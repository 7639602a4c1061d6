/** A clinic with services and performers. */

import { permissionNames } from '@ordinator/model/permissions'
import { afterAll, beforeAll } from 'vitest'
import { good } from '#testing/good.ts'
import { type Caller, type Clinic, testApp } from '#testing/harness.ts'
import { addPerson } from '#testing/people.ts'

export interface Period {
  price: number
  dateFrom: string
  dateTo: string | null
}

export let clinic: Clinic
export let keeper: Caller
export let seller: Caller
export let idKeeper: number
export let idDoctor: number

export const make = async (path: string, body: object) => good(await keeper.post(`/${path}`, body), 201)
export const service = (body: object = {}) => make('services', { nameService: 'Приём', priceService: 1000, ...body })

/** Registers the set-up of the file's tests. */
export function openCatalogueClinic(): void {
  beforeAll(async () => {
    clinic = await testApp({
      prepare: async (app) => {
        idKeeper = (await addPerson(app, 'keeper', ['editServices'], { surname: 'Хранительница' })).id
        idDoctor = (await addPerson(app, 'doctor', ['viewServices'], { surname: 'Врачёва' })).id
        await addPerson(app, 'seller', ['viewSalesManagement'])
        await addPerson(app, 'chief', permissionNames)
      },
    })
    keeper = clinic.as('keeper')
    seller = clinic.as('seller')
  })
  afterAll(() => clinic.close())
}
