import { ClinicalRecommendation } from '@ordinator/model/areas/clinical/clinical'
import { pageByKey } from '@ordinator/model/pages'
import { IconUpload } from '@tabler/icons-react'
import { useState } from 'react'
import { ImportDialog } from '#areas/imports/index.ts'
import { ActionButton } from '#kit/ActionButton.tsx'
import { today } from '#kit/clock.ts'
import { useCan } from '#records/Can.tsx'
import { RegistryPage } from '#records/RegistryPage.tsx'

/** Клинические рекомендации: the register, edited by hand or imported with criteria. */
export default function RecommendationsPage() {
  return (
    <RegistryPage
      page={pageByKey('clinicalRecommendations')}
      entity={ClinicalRecommendation}
      isMuted={({ validTo }) => validTo !== null && validTo < today()}
      tools={<FromFile />}
    />
  )
}

function FromFile() {
  const [open, setOpen] = useState(false)
  if (!useCan('create', ClinicalRecommendation)) return null
  return (
    <>
      <ActionButton label="Загрузить из файла" variant="default" icon={IconUpload} onClick={() => setOpen(true)} />
      {open && (
        <ImportDialog
          kind="clinical"
          title="Клинические рекомендации"
          hint="CSV или XLSX, строка — критерий: «Номер», «Название», «МКБ-10», «Критерий», при желании «Возраст», «Год», «Вид», «УУР», «УДД». Рекомендацию узнаём по номеру, критерий с тем же текстом второй раз не заводим"
          template
          onClose={() => setOpen(false)}
        />
      )}
    </>
  )
}
