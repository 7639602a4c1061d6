import { Filial } from '@ordinator/model/areas/filials/filial'
import type { WorkingHours } from '@ordinator/model/hours'
import { pageByKey } from '@ordinator/model/pages'
import { randomColor } from '@ordinator/model/palette'
import { IconArrowLeft } from '@tabler/icons-react'
import { useState } from 'react'
import { useGo } from '../../base/address.ts'
import { IconButton } from '../../kit/IconButton.tsx'
import { PageHead } from '../../kit/PageHead.tsx'
import { Block } from '../../kit/Stacks.tsx'
import { RegistryForm } from '../../records/registry/RegistryRecord.tsx'
import { FilialForm } from './FilialForm.tsx'

const day = { start: '08:00', end: '20:00' }
/** What most clinics keep, to be mended rather than typed. */
const week: WorkingHours = {
  monday: day,
  tuesday: day,
  wednesday: day,
  thursday: day,
  friday: day,
  saturday: { start: '09:00', end: '15:00' },
}

/** Новый филиал: made on a page of its own, and opened then. */
export default function NewFilialPage() {
  const { title, help } = pageByKey('newFilial')
  const go = useGo()
  const [initial] = useState(() => ({ labelColor: randomColor(), workingHours: week }))
  const back = () => void go({ page: 'filials' })
  return (
    <>
      <PageHead
        title={title}
        help={help}
        start={<IconButton icon={IconArrowLeft} label="К списку: Филиалы" onClick={back} />}
      />
      <Block px="var(--ord-page)" pb="var(--ord-page)">
        <RegistryForm
          entity={Filial}
          initial={initial}
          form={(filial) => <FilialForm filial={filial} />}
          onMade={({ id }) => void go({ page: 'filial', params: { id } }, { replace: true })}
          onCancel={back}
        />
      </Block>
    </>
  )
}
