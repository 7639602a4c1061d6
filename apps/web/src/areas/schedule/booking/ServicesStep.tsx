import { Service } from '@ordinator/model/areas/catalogue/service'
import { useRef, useState } from 'react'
import { searchFirstVisits, searchServices } from '#areas/catalogue/index.ts'
import { noteChoice } from '#base/choiceUse.ts'
import { ActionButton } from '#kit/ActionButton.tsx'
import { AjaxMultiSelect } from '#kit/AjaxSelect.tsx'
import { HStack, VStack } from '#kit/Stacks.tsx'
import type { AjaxOption } from '#kit/useAjaxOptions.ts'
import { KeysHint } from '#kit/Words.tsx'

const MAX = 20

interface Props {
  services: AjaxOption[]
  /** The patient has no card yet. */
  isNew: boolean
  onChange: (services: AjaxOption[]) => void
  onNext: () => void
}

/** Services step: one or several in one visit. */
export function ServicesStep({ services, isNew, onChange, onNext }: Props) {
  const [tried, setTried] = useState(false)
  /** Ctrl+Enter selects the first result and continues. */
  const goesOn = useRef(false)
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
      onKeyDownCapture={(event) => {
        goesOn.current = event.key === 'Enter' && (event.ctrlKey || event.metaKey)
      }}
      onKeyDown={(event) => {
        if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return
        event.preventDefault()
        event.stopPropagation()
        if (services.length > 0 || !goesOn.current || !event.currentTarget.querySelector('input')?.value) next()
      }}
      ref={(form) => form?.querySelector('input')?.focus()}
    >
      <VStack gap={12}>
        <AjaxMultiSelect
          label="Услуги"
          placeholder="Название, код или артикул"
          max={MAX}
          openOnFocus={false}
          load={isNew ? searchFirstVisits : searchServices}
          value={services}
          error={tried && services.length === 0 ? 'Выберите услугу' : undefined}
          onChange={(chosen) => {
            const last = chosen.at(-1)
            if (last && chosen.length > services.length) noteChoice(Service.path, last.value)
            onChange(chosen)
            if (goesOn.current && chosen.length > services.length) onNext()
          }}
        />
        <HStack justify="end">
          <KeysHint>Ctrl+Enter — взять найденное и дальше</KeysHint>
          <ActionButton label="Дальше" type="submit" />
        </HStack>
      </VStack>
    </form>
  )
}
