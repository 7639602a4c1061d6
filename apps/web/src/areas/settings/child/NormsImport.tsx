import { ServiceConsumable } from '@ordinator/model/areas/catalogue/consumable'
import { IconUpload } from '@tabler/icons-react'
import { useState } from 'react'
import { ImportDialog } from '#areas/imports/index.ts'
import { ActionButton } from '#kit/ActionButton.tsx'
import { useCan } from '#records/Can.tsx'

/** Imports norms of materials from a file; single norms are edited at the service. */
export function NormsImport() {
  const [open, setOpen] = useState(false)
  if (!useCan('create', ServiceConsumable)) return null
  return (
    <>
      <ActionButton label="Загрузить нормы расхода" variant="default" icon={IconUpload} onClick={() => setOpen(true)} />
      {open && (
        <ImportDialog
          kind="norms"
          title="Нормы расхода"
          hint="CSV или XLSX с колонками «Услуга», «Материал», «Количество»: услугу и материал узнаём по коду или названию. Норма, которая уже есть, получит количество из файла"
          template
          onClose={() => setOpen(false)}
        />
      )}
    </>
  )
}
