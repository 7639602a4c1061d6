import { ActionIcon, Button, Checkbox, TextInput } from '@mantine/core'
import {
  MAX_OPTIONS,
  MAX_QUESTIONS,
  MAX_TEST_TEXT,
  MIN_OPTIONS,
  type RegulationTest,
} from '@ordinator/model/areas/regulations/test'
import { IconPlus, IconTrash } from '@tabler/icons-react'
import classes from './ReadingSettings.module.css'

type Question = RegulationTest['questions'][number]

interface Props {
  test: RegulationTest | null
  error: string | undefined
  onChange: (test: RegulationTest | null) => void
}

/** The questions after the reading; in each, one or several right answers. */
export function TestEditor({ test, error, onChange }: Props) {
  const questions = test?.questions ?? []
  const set = (next: Question[]) => onChange(next.length ? { questions: next } : null)
  const change = (at: number, patch: Partial<Question>) =>
    set(questions.map((question, i) => (i === at ? { ...question, ...patch } : question)))
  return (
    <section className={classes.test} aria-label="Тест">
      <div className={classes.head}>
        <h3 className={classes.title}>Тест</h3>
        <p className={classes.hint}>
          {questions.length
            ? 'Отметьте верные ответы. Вопрос зачтён, когда выбраны все они и только они.'
            : 'Без вопросов ознакомление подтверждают кнопкой'}
        </p>
      </div>
      {error && (
        <p className={classes.error} role="alert">
          {error}
        </p>
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
      <Button
        variant="default"
        leftSection={<IconPlus size={18} />}
        disabled={questions.length >= MAX_QUESTIONS}
        onClick={() => set([...questions, { text: '', options: [blank(), blank()] }])}
      >
        Добавить вопрос
      </Button>
    </section>
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
    <fieldset className={classes.question} aria-label={`Вопрос ${n}`}>
      <div className={classes.line}>
        <TextInput
          aria-label={`Вопрос ${n}`}
          placeholder={`Вопрос ${n}`}
          maxLength={MAX_TEST_TEXT}
          value={text}
          onChange={(event) => onChange({ text: event.currentTarget.value })}
        />
        <ActionIcon variant="subtle" color="gray" size={28} aria-label={`Удалить вопрос ${n}`} onClick={onRemove}>
          <IconTrash size={16} />
        </ActionIcon>
      </div>
      <ul className={classes.options}>
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
            <ActionIcon
              variant="subtle"
              color="gray"
              size={28}
              aria-label={`Вопрос ${n}: убрать ответ ${i + 1}`}
              disabled={options.length <= MIN_OPTIONS}
              onClick={() => onChange({ options: options.filter((_, place) => place !== i) })}
            >
              <IconTrash size={16} />
            </ActionIcon>
          </li>
        ))}
      </ul>
      <div>
        <Button
          size="compact-sm"
          variant="subtle"
          leftSection={<IconPlus size={16} />}
          disabled={options.length >= MAX_OPTIONS}
          onClick={() => onChange({ options: [...options, blank()] })}
        >
          Добавить ответ
        </Button>
      </div>
    </fieldset>
  )
}
