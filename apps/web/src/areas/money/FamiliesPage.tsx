import { Family, FamilyMember } from '@ordinator/model/areas/money/family'
import type { Row } from '@ordinator/model/entity'
import { formatMoney } from '@ordinator/model/format'
import { pageByKey } from '@ordinator/model/pages'
import { CustomerLink } from '#areas/customers/index.ts'
import { VStack } from '#kit/Stacks.tsx'
import { Fine } from '#kit/Words.tsx'
import { RegistryPage } from '#records/RegistryPage.tsx'
import { PartList } from '#records/registry/PartList.tsx'
import type { RecordParts } from '#records/registry/RegistryRecord.tsx'

const tabs: RecordParts<typeof Family>['tabs'] = {
  people: { label: 'За кого платит', panel: (row) => <People family={row} /> },
}

/** Семейные счета: the payer, the members with their limits. */
export default function FamiliesPage() {
  return (
    <RegistryPage
      page={pageByKey('families')}
      entity={Family}
      tabs={tabs}
      isMuted={({ state }) => state === 'blocked'}
    />
  )
}

const People = ({ family: { id, advance } }: { family: Row<typeof Family> }) => (
  <VStack gap={12}>
    <div>На счёте {formatMoney(advance)}</div>
    <PartList
      entity={FamilyMember}
      of={{ idFamily: id }}
      title="За кого платит"
      fields={['idCustomer', 'limitMonth', 'showsServices']}
      expand={['customer']}
      face={({ customer, limitMonth, showsServices, spent }) => (
        <>
          {customer ? <CustomerLink customer={customer} /> : 'Пациент вам не виден'}
          <Fine component="div">
            {limitMonth === null
              ? `За этот месяц ${formatMoney(spent)}, без лимита`
              : `За этот месяц ${formatMoney(spent)} из ${formatMoney(limitMonth)}`}
            {showsServices && ' · показывает плательщику услуги'}
          </Fine>
        </>
      )}
    />
    <Fine>
      Платят в кассе: «Принять оплату» → «Платит другой» → плательщик → «Аванс плательщика». Возврат идёт на этот же
      счёт
    </Fine>
  </VStack>
)
