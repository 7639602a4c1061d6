import { type SetAddressOptions, useAddress } from '#base/address.ts'
import { id, word } from '#base/addressValues.ts'
import type { Search } from '#base/redirect.ts'
import { type RegulationFilters, regulationFilters } from './regulationFilters.ts'

export const regulationLists = { all: 'Все', mine: 'Мои' } as const
export type RegulationList = keyof typeof regulationLists

/** How the dialog stands: `create` has no id, `view` is the default of one. */
const modes = { create: true, edit: true, view: true } as const

/** What the address of the regulations holds. */
export interface RegulationsAddress extends RegulationFilters {
  list?: RegulationList
  /** The open regulation. */
  id?: number
  mode?: keyof typeof modes
  /** The run that stands over it. */
  run?: number
  /** Of the list's table. */
  page?: number
}

export type SetRegulationsAddress = (patch: Partial<RegulationsAddress>, options?: SetAddressOptions) => void

export const useRegulationsAddress = (): [RegulationsAddress, SetRegulationsAddress] => useAddress(readAddress)

function readAddress(search: Search): RegulationsAddress {
  return {
    list: word(regulationLists, search.list),
    ...regulationFilters.read(search),
    id: id(search.id),
    mode: word(modes, search.mode),
    run: id(search.run),
  }
}

/** The inner address of a regulation. */
export const regulationHref = (idRegulation: number): string => `/regulations?id=${idRegulation}`
