import { Checkbox, Text, TextInput } from '@mantine/core'
import {
  MAX_OPTIONS,
  MAX_QUESTIONS,
  MAX_TEST_TEXT,
  MIN_OPTIONS,
  type RegulationTest,
} from '@ordinator/model/areas/regulations/test'
import { IconTrash } from '@tabler/icons-react'
import { AddLine } from '#kit/AddLine.tsx'
import { IconButton } from '#kit/IconButton.tsx'
import { VStack } from '#kit/Stacks.tsx'
import classes from './ReadingSettings.module.css'

type Question = RegulationTest['questions'][number]

interface Props {
  test: RegulationTest | null
  error: string | undefined
  onChange: (test: RegulationTest | null) => void
}

/** Questions of the test, each with one or several right answers. */
export function TestEditor({ test, error, onChange }: Props) {
  const questions = test?.questions ?? []
  const set = (next: Question[]) => onChange(next.length ? { questions: next } : null)
  const change = (at: number, patch: Partial<Question>) =>
    set(questions.map((question, i) => (i === at ? { ...question, ...patch } : question)))
  return (
    <VStack component="section" gap={12} align="flex-start" aria-label="Тест">
      <VStack gap={0}>
        <h3>Тест</h3>
        <Text c="dimmed">
          {questions.length
            ? 'Отметьте верные ответы. Вопрос зачтён, когда выбраны все они и только они.'
            : 'Без вопросов ознакомление подтверждают кнопкой'}
        </Text>
      </VStack>
      {error && (
        <Text c="var(--mantine-color-error)" role="alert">
          {error}
        </Text>
      )}
      {questions.map((question, at) => (
        <QuestionFields
          // biome-ignore lint/suspicious/noArrayIndexKey: questions have no other name, and all of them is in their values
          key={at}
          at={at}
          question={question}
          onChange={(patch) => change(at, patch)}
          onRemove={() => set(questions.filter((_, i) => i !== at))}
        />
      ))}
      <AddLine
        label="Добавить вопрос"
        size="sm"
        disabled={questions.length >= MAX_QUESTIONS}
        onAdd={() => set([...questions, { text: '', options: [blank(), blank()] }])}
      />
    </VStack>
  )
}

const blank = () => ({ text: '', isRight: false })

interface QuestionProps {
  at: number
  question: Question
  onChange: (patch: Partial<Question>) => void
  onRemove: () => void
}

function QuestionFields({ at, question: { text, options }, onChange, onRemove }: QuestionProps) {
  const n = at + 1
  const change = (place: number, patch: Partial<Question['options'][number]>) =>
    onChange({ options: options.map((option, i) => (i === place ? { ...option, ...patch } : option)) })
  return (
    <VStack component="fieldset" framed p={12} w="100%" aria-label={`Вопрос ${n}`}>
      <div className={classes.line}>
        <TextInput
          aria-label={`Вопрос ${n}`}
          placeholder={`Вопрос ${n}`}
          maxLength={MAX_TEST_TEXT}
          value={text}
          onChange={(event) => onChange({ text: event.currentTarget.value })}
        />
        <IconButton icon={IconTrash} size={28} label={`Удалить вопрос ${n}`} onClick={onRemove} />
      </div>
      <VStack component="ul">
        {options.map((option, i) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: as the questions
          <li key={i} className={classes.line}>
            <Checkbox
              aria-label={`Вопрос ${n}, ответ ${i + 1}: верный`}
              checked={option.isRight}
              onChange={(event) => change(i, { isRight: event.currentTarget.checked })}
            />
            <TextInput
              aria-label={`Вопрос ${n}, ответ ${i + 1}`}
              placeholder={`Ответ ${i + 1}`}
              maxLength={MAX_TEST_TEXT}
              value={option.text}
              onChange={(event) => change(i, { text: event.currentTarget.value })}
            />
            <IconButton
              icon={IconTrash}
              size={28}
              label={`Вопрос ${n}: убрать ответ ${i + 1}`}
              disabled={options.length <= MIN_OPTIONS}
              onClick={() => onChange({ options: options.filter((_, place) => place !== i) })}
            />
          </li>
        ))}
      </VStack>
      <div>
        <AddLine
          label="Добавить ответ"
          variant="subtle"
          disabled={options.length >= MAX_OPTIONS}
          onAdd={() => onChange({ options: [...options, blank()] })}
        />
      </div>
    </VStack>
  )
}
