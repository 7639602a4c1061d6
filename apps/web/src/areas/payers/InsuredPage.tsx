import { InsuredPerson } from '@ordinator/model/areas/payers/insured'
import { pageByKey } from '@ordinator/model/pages'
import { today } from '#kit/clock.ts'
import { filters } from '#records/filters/filters.ts'
import { ref } from '#records/filters/ref.tsx'
import { RegistryPage } from '#records/RegistryPage.tsx'

const insuredFilters = filters(InsuredPerson, { contract: ref('idContract', { label: 'Договор' }) })

/** Застрахованные: lists of payers, with the cards that were found. */
export default function InsuredPage() {
  return (
    <RegistryPage
      page={pageByKey('insured')}
      entity={InsuredPerson}
      filters={insuredFilters}
      isMuted={({ dateTo }) => dateTo !== null && dateTo < today()}
    />
  )
}
