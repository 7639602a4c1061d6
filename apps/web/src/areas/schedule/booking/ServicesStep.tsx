import { useState } from 'react'
import { ActionButton } from '../../../kit/ActionButton.tsx'
import { AjaxMultiSelect } from '../../../kit/AjaxSelect.tsx'
import { HStack, VStack } from '../../../kit/Stacks.tsx'
import type { AjaxOption } from '../../../kit/useAjaxOptions.ts'
import { Fine } from '../../../kit/Words.tsx'
import { searchServices } from '../../catalogue/index.ts'

const MAX = 20

interface Props {
  services: AjaxOption[]
  onChange: (services: AjaxOption[]) => void
  onNext: () => void
}

/** What for: one service or several in one visit. */
export function ServicesStep({ services, onChange, onNext }: Props) {
  const [tried, setTried] = useState(false)
  const next = () => {
    setTried(true)
    if (services.length > 0) onNext()
  }
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        event.stopPropagation()
        next()
      }}
      onKeyDown={(event) => {
        if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return
        event.preventDefault()
        event.stopPropagation()
        next()
      }}
      ref={(form) => form?.querySelector('input')?.focus()}
    >
      <VStack gap={12}>
        <AjaxMultiSelect
          label="Услуги"
          placeholder="Название, код или артикул"
          max={MAX}
          openOnFocus={false}
          load={searchServices}
          value={services}
          error={tried && services.length === 0 ? 'Выберите услугу' : undefined}
          onChange={onChange}
        />
        <HStack justify="end">
          <Fine>Ctrl+Enter — дальше</Fine>
          <ActionButton label="Дальше" type="submit" />
        </HStack>
      </VStack>
    </form>
  )
}
