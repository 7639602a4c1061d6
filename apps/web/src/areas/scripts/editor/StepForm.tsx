import { Box, Input, Menu, Select, Text, Textarea, TextInput } from '@mantine/core'
import type { ScriptGraph } from '@ordinator/model/areas/scripts/graph'
import { MAX_ANSWERS, MAX_STEPS, MAX_TEXT, MAX_TITLE, type ScriptStep } from '@ordinator/model/areas/scripts/script'
import { IconCopy, IconTrash } from '@tabler/icons-react'
import { memo, useId, useMemo } from 'react'
import { MenuItem } from '#kit/ActionMenu.tsx'
import { AddLine } from '#kit/AddLine.tsx'
import { IconButton } from '#kit/IconButton.tsx'
import { OrderedRow } from '#kit/OrderedRow.tsx'
import { HStack, VStack } from '#kit/Stacks.tsx'
import { Muted } from '#kit/Words.tsx'
import { Marks } from './Marks.tsx'
import type { StepActs } from './StepActs.ts'
import classes from './StepForm.module.css'
import { type Answer, replaced } from './steps.ts'

interface Props {
  step: ScriptStep
  at: number
  steps: readonly ScriptStep[]
  graph: ScriptGraph
  readOnly: boolean
  acts: StepActs
}

/** The open step: name, text, and answers. */
export function StepForm({ step, at, steps, graph, readOnly, acts }: Props) {
  const marks = graph.nodes.find(({ key }) => key === step.key)?.marks ?? []
  const change = (patch: Partial<ScriptStep>) => acts.change(step.key, patch)
  return (
    <VStack component="section" gap={12} framed px={16} pt={12} pb={16} miw={0} aria-label={`Шаг ${at + 1}`}>
      <HStack mih={28}>
        <h3>Шаг {at + 1}</h3>
        <Marks marks={marks} />
        <Box component="span" flex={1} />
        {!readOnly && (
          <>
            <IconButton
              icon={IconCopy}
              label="Дублировать шаг"
              disabled={steps.length >= MAX_STEPS}
              onClick={() => acts.copy(step.key)}
            />
            <IconButton icon={IconTrash} label="Удалить шаг" onClick={() => acts.remove(step.key)} />
          </>
        )}
      </HStack>
      <TextInput
        label="Название шага"
        required
        readOnly={readOnly}
        value={step.title}
        maxLength={MAX_TITLE}
        error={step.title.trim() ? undefined : 'Название шага обязательно'}
        inputWrapperOrder={['label', 'input', 'error', 'description']}
        description={<Counter length={step.title.length} max={MAX_TITLE} />}
        onChange={(event) => change({ title: event.currentTarget.value })}
      />
      <Textarea
        label="Что сказать"
        autosize
        minRows={3}
        maxRows={14}
        readOnly={readOnly}
        value={step.text}
        maxLength={MAX_TEXT}
        inputWrapperOrder={['label', 'input', 'error', 'description']}
        description={<Counter length={step.text.length} max={MAX_TEXT} />}
        onChange={(event) => change({ text: event.currentTarget.value })}
      />
      <Answers idStep={step.key} answers={step.answers} steps={steps} readOnly={readOnly} acts={acts} />
    </VStack>
  )
}

/** «12 / 255» under a field. */
const Counter = ({ length, max }: { length: number; max: number }) => (
  <span className="tabular">
    {length} / {max}
  </span>
)

const END = 'end'
const NEW = 'new'

interface AnswersProps extends Pick<Props, 'steps' | 'readOnly' | 'acts'> {
  idStep: string
  answers: Answer[]
}

const Answers = memo(function Answers({ idStep: key, answers, steps, readOnly, acts }: AnswersProps) {
  const id = useId()
  const set = (next: Answer[]) => acts.change(key, { answers: next })
  const rows = useMemo(() => answers.map((_, i) => ({ id: i + 1 })), [answers])
  const aims = useMemo(
    () => [
      { value: END, label: 'Конец разговора' },
      ...(steps.length < MAX_STEPS ? [{ value: NEW, label: '+ Новый шаг' }] : []),
      // The prefix avoids «Шаг 2», which may be a title.
      ...steps.map((one, i) => ({ value: `=${one.key}`, label: `${i + 1}. ${one.title.trim() || 'Без названия'}` })),
    ],
    [steps],
  )
  const lead = (at: number, aim: string | null) => {
    if (aim === null) return
    const text = answers[at]?.text.trim()
    const next = aim === END ? null : aim === NEW ? acts.add(text || 'Новый шаг') : aim.slice(1)
    if (next !== undefined) set(answers.map((answer, i) => (i === at ? { ...answer, next } : answer)))
  }
  const add = () => set([...answers, { text: '', next: null }])
  return (
    <VStack gap={4}>
      <HStack mih={28}>
        <h4 id={id}>Ответы клиента</h4>
        <Muted>
          {answers.length} / {MAX_ANSWERS}
        </Muted>
      </HStack>
      {answers.length === 0 && <Text c="dimmed">Без ответов разговор на этом шаге заканчивается.</Text>}
      {answers.length > 0 && (
        <ul aria-labelledby={id}>
          {answers.map((answer, i) => (
            <OrderedRow
              // biome-ignore lint/suspicious/noArrayIndexKey: an answer has nothing of its own but its place
              key={i}
              kind={`answers-${key}`}
              row={rows[i] as { id: number }}
              rows={rows}
              name={`ответ ${i + 1}`}
              mayEdit={!readOnly}
              onPut={(moved, place) => set(replaced(answers, moved, place))}
              menu={
                <>
                  <Menu.Divider />
                  {answer.next !== null && (
                    <Menu.Item onClick={() => answer.next !== null && acts.select(answer.next)}>
                      Открыть следующий шаг
                    </Menu.Item>
                  )}
                  <MenuItem
                    label="Удалить ответ"
                    icon={IconTrash}
                    danger
                    onClick={() => set(answers.toSpliced(i, 1))}
                  />
                </>
              }
            >
              <div className={classes.answer}>
                <TextInput
                  aria-label={`Ответ ${i + 1}`}
                  placeholder="Что отвечает клиент"
                  readOnly={readOnly}
                  value={answer.text}
                  maxLength={MAX_TITLE}
                  error={answer.text.trim() ? undefined : 'У ответа нужен текст'}
                  onChange={(event) => {
                    const text = event.currentTarget.value
                    set(answers.map((one, at) => (at === i ? { ...one, text } : one)))
                  }}
                />
                <Select
                  aria-label={`Куда ведёт ответ ${i + 1}`}
                  data={aims}
                  value={answer.next === null ? END : `=${answer.next}`}
                  searchable
                  readOnly={readOnly}
                  nothingFoundMessage="Такого шага нет"
                  limit={50}
                  onChange={(aim) => lead(i, aim)}
                />
              </div>
            </OrderedRow>
          ))}
        </ul>
      )}
      {!readOnly &&
        (answers.length < MAX_ANSWERS ? (
          <AddLine label="Добавить ответ" className={classes.add} variant="subtle" onAdd={add} />
        ) : (
          <Input.Description>Не больше {MAX_ANSWERS} ответов</Input.Description>
        ))}
    </VStack>
  )
})
