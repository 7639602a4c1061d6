import { Textarea } from '@mantine/core'
import { type MessageEvent, messageVariables, variablesOf } from '@ordinator/model/areas/messages/events'
import { MAX_TEXT, smsSize } from '@ordinator/model/areas/messages/words'
import { counted, inSentence } from '@ordinator/model/format'
import { IconVariable } from '@tabler/icons-react'
import { useRef } from 'react'
import { useWatch } from 'react-hook-form'
import { ActionMenu, MenuItem } from '#kit/ActionMenu.tsx'
import { HStack, VStack } from '#kit/Stacks.tsx'
import { Fine } from '#kit/Words.tsx'
import type { InputProps } from '#records/fields/ui.ts'

/** Text of a message with its variables, and the number of text messages. */
export function TemplateText({ value, onChange, onBlur, label, description, error, required, readOnly }: InputProps) {
  const input = useRef<HTMLTextAreaElement>(null)
  const event = useWatch({ name: 'event' }) as MessageEvent | null
  const text = String(value ?? '')
  const insert = (name: string) => {
    const field = input.current
    const [from, to] = [field?.selectionStart ?? text.length, field?.selectionEnd ?? text.length]
    onChange(`${text.slice(0, from)}{${name}}${text.slice(to)}`)
    const at = from + name.length + 2
    requestAnimationFrame(() => {
      field?.focus()
      field?.setSelectionRange(at, at)
    })
  }
  return (
    <VStack gap={4}>
      <Textarea
        ref={input}
        label={label}
        description={description}
        error={error}
        required={required}
        readOnly={readOnly}
        value={text}
        maxLength={MAX_TEXT}
        autosize
        minRows={4}
        maxRows={12}
        onChange={(change) => onChange(change.currentTarget.value)}
        onBlur={onBlur}
      />
      <HStack justify="space-between" wrap>
        <Fine aria-live="polite">{sizeWords(text)}</Fine>
        {!readOnly && (
          <ActionMenu label="Вставить переменную" icon={IconVariable} returnFocus={false}>
            {variablesOf(event ?? 'custom').map((name) => (
              <MenuItem
                key={name}
                label={`{${name}} — ${inSentence(messageVariables[name].label)}`}
                onClick={() => insert(name)}
              />
            ))}
          </ActionMenu>
        )}
      </HStack>
    </VStack>
  )
}

/** «134 знака · 2 СМС по 67 (кириллица)»; values change the length. */
export function sizeWords(text: string): string {
  const { length, parts, perPart, isLatin } = smsSize(text)
  if (parts === 0) return 'Пока пусто'
  const letters = isLatin ? 'латиница' : 'кириллица'
  return `${counted(length, ['знак', 'знака', 'знаков'])} · ${parts} СМС по ${perPart} (${letters})`
}
