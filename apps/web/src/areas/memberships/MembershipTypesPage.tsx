import { MembershipItem, MembershipType } from '@ordinator/model/areas/memberships/type'
import { counted } from '@ordinator/model/format'
import { pageByKey } from '@ordinator/model/pages'
import { Fine } from '#kit/Words.tsx'
import { RegistryPage } from '#records/RegistryPage.tsx'
import { PartList } from '#records/registry/PartList.tsx'
import type { RecordParts } from '#records/registry/RegistryRecord.tsx'

const tabs: RecordParts<typeof MembershipType>['tabs'] = {
  items: { label: 'Услуги', panel: ({ id }) => <Items idType={id} /> },
}

/** Виды абонементов: price, visits, term and the services that they pay for. */
export default function MembershipTypesPage() {
  return (
    <RegistryPage
      page={pageByKey('membershipTypes')}
      entity={MembershipType}
      tabs={tabs}
      isMuted={({ active }) => !active}
    />
  )
}

const Items = ({ idType }: { idType: number }) => (
  <PartList
    entity={MembershipItem}
    of={{ idType }}
    title="За что платит абонемент"
    fields={['idService', 'idGroup', 'qty']}
    expand={['service', 'group']}
    face={({ service, group, qty }) => (
      <>
        {service?.nameService ?? group?.nameServiceGroup ?? 'Услуга удалена'}
        <Fine component="div">
          {qty === null ? 'из общего остатка' : counted(qty, ['посещение', 'посещения', 'посещений'])}
        </Fine>
      </>
    )}
  />
)
