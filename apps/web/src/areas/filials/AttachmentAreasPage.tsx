import { AttachmentArea, AttachmentStreet, houseSides } from '@ordinator/model/areas/attachment/area'
import { pageByKey } from '@ordinator/model/pages'
import { Muted } from '#kit/Words.tsx'
import { RegistryPage } from '#records/RegistryPage.tsx'
import { PartList } from '#records/registry/PartList.tsx'
import type { RecordParts } from '#records/registry/RegistryRecord.tsx'

const tabs: RecordParts<typeof AttachmentArea>['tabs'] = {
  streets: { label: 'Улицы и дома', panel: ({ id }) => <Streets idArea={id} /> },
}

/** Участки: doctors, and the streets they serve. */
export default function AttachmentAreasPage() {
  return (
    <RegistryPage
      page={pageByKey('attachmentAreas')}
      entity={AttachmentArea}
      tabs={tabs}
      isMuted={({ active }) => !active}
    />
  )
}

const Streets = ({ idArea }: { idArea: number }) => (
  <PartList
    entity={AttachmentStreet}
    of={{ idArea }}
    title="Улицы и дома"
    fields={['street', 'houseFrom', 'houseTo', 'side']}
    face={({ street, houseFrom, houseTo, side }) => (
      <>
        <strong>{street}</strong>
        <Muted> · {housesText(houseFrom, houseTo, side ?? 'all')}</Muted>
      </>
    )}
  />
)

function housesText(from: number | null, to: number | null, side: keyof typeof houseSides): string {
  const numbers = [from && `с ${from}`, to && `по ${to}`].filter(Boolean).join(' ')
  return [houseSides[side].toLowerCase(), numbers].filter(Boolean).join(' ')
}
