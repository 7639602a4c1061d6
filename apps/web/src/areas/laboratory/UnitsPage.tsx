import { LabUnit } from '@ordinator/model/areas/laboratory/laboratory'
import { pageByKey } from '@ordinator/model/pages'
import { IconFileImport } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '#base/api.ts'
import { errorMessage } from '#base/apiError.ts'
import { ActionButton } from '#kit/ActionButton.tsx'
import { useFileInput } from '#kit/FilePicker.tsx'
import { notify } from '#kit/notify.tsx'
import { useCan } from '#records/Can.tsx'
import { invalidateRecords } from '#records/keys.ts'
import { RegistryPage } from '#records/RegistryPage.tsx'

/** Единицы измерения: UCUM codes and conversions; the state dictionary is imported from a file. */
export default function UnitsPage() {
  return <RegistryPage page={pageByKey('labUnits')} entity={LabUnit} tools={<NsiButton />} />
}

const MAX_FILE = 8 * 1024 * 1024

function NsiButton() {
  const cache = useQueryClient()
  const [busy, setBusy] = useState(false)
  const may = useCan('create', LabUnit)
  const [input, choose] = useFileInput({
    extensions: ['json'],
    maxSize: MAX_FILE,
    multiple: false,
    onFiles: async ([file]: File[]) => {
      if (!file) return
      setBusy(true)
      try {
        const { created, changed, skipped } = await api(
          'POST /laboratory/units/nsi',
          { query: {}, body: file },
          {
            forbidden: 'toast',
          },
        )
        await invalidateRecords(cache, LabUnit.path)
        notify.success(`Добавлено ${created}, обновлено ${changed}${skipped ? `, пропущено ${skipped}` : ''}`, {
          title: 'Справочник загружен',
        })
      } catch (error) {
        notify.error(errorMessage(error), { title: 'Справочник не загружен' })
      }
      setBusy(false)
    },
  })
  if (!may) return null
  return (
    <>
      {input}
      <ActionButton
        label="Загрузить НСИ 1358"
        icon={IconFileImport}
        variant="default"
        loading={busy}
        onClick={choose}
      />
    </>
  )
}
