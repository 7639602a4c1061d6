import { Alert, Button, Checkbox, Group, Radio, Stack, Text } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import type { OpenTest, ReadingResult } from '@ordinator/model/areas/regulations/test'
import type { RegulationView } from '@ordinator/model/areas/regulations/wire'
import { IconMoodCheck, IconRefresh } from '@tabler/icons-react'
import { useState } from 'react'
import { ActionButton } from '#kit/ActionButton.tsx'
import { Dialog } from '#kit/Dialog.tsx'
import { ErrorState } from '#kit/ErrorState.tsx'
import { LinesSkeleton } from '#kit/Skeletons.tsx'
import { VStack } from '#kit/Stacks.tsx'
import { toastFailed } from '../toasts.ts'
import { useReadingVerbs, useTest } from './calls.ts'

/** Test after reading: questions, result, and retry until passed. */
export function TestDialog({ view, onClose }: { view: RegulationView; onClose: () => void }) {
  const phone = useMediaQuery('(max-width: 48em)', undefined, { getInitialValueInEffect: false })
  const test = useTest(view.id)
  const { confirm } = useReadingVerbs(view.id)
  const [result, setResult] = useState<ReadingResult>()
  const send = (answers: number[][]) =>
    confirm.mutate(answers, {
      onSuccess: setResult,
      onError: (error) => toastFailed('Ошибка при сохранении', error),
    })
  return (
    <Dialog onClose={onClose} closeOnClickOutside={false} title={`Тест: ${view.name}`} size={640} fullScreen={phone}>
      {result ? (
        <Result result={result} need={view.passScore} onAgain={() => setResult(undefined)} onClose={onClose} />
      ) : test.isPending ? (
        <LinesSkeleton lines={6} />
      ) : test.isError ? (
        <ErrorState title="Тест не загрузился" error={test.error} onRetry={() => void test.refetch()} />
      ) : (
        <Questions test={test.data} busy={confirm.isPending} onSend={send} />
      )}
    </Dialog>
  )
}

function Questions({ test, busy, onSend }: { test: OpenTest; busy: boolean; onSend: (answers: number[][]) => void }) {
  const [answers, setAnswers] = useState<number[][]>(test.questions.map(() => []))
  const [asked, setAsked] = useState(false)
  const set = (at: number, chosen: number[]) => setAnswers(answers.map((old, i) => (i === at ? chosen : old)))
  const isWhole = answers.every((chosen) => chosen.length > 0)
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        setAsked(true)
        if (isWhole) onSend(answers)
      }}
    >
      <Text c="dimmed">Чтобы пройти, нужно верно ответить на {test.passScore} % вопросов.</Text>
      <VStack component="ol" gap={20} my={16}>
        {test.questions.map(({ text, options, several }, at) => {
          const error = asked && answers[at]?.length === 0 ? 'Выберите ответ' : undefined
          const label = `${at + 1}. ${text}`
          const description = several ? 'Верных ответов несколько' : undefined
          return (
            // biome-ignore lint/suspicious/noArrayIndexKey: questions have no other name, and their order stays
            <li key={at}>
              {several ? (
                <Checkbox.Group
                  label={label}
                  description={description}
                  error={error}
                  value={(answers[at] ?? []).map(String)}
                  onChange={(values) => set(at, values.map(Number))}
                >
                  <Stack gap={8} mt={8}>
                    {options.map((option, place) => (
                      // biome-ignore lint/suspicious/noArrayIndexKey: as the questions
                      <Checkbox key={place} value={String(place)} label={option} />
                    ))}
                  </Stack>
                </Checkbox.Group>
              ) : (
                <Radio.Group
                  label={label}
                  error={error}
                  value={answers[at]?.[0]?.toString() ?? null}
                  onChange={(value) => set(at, [Number(value)])}
                >
                  <Stack gap={8} mt={8}>
                    {options.map((option, place) => (
                      // biome-ignore lint/suspicious/noArrayIndexKey: as the questions
                      <Radio key={place} value={String(place)} label={option} />
                    ))}
                  </Stack>
                </Radio.Group>
              )}
            </li>
          )
        })}
      </VStack>
      <Group justify="flex-end">
        <ActionButton label="Проверить" type="submit" loading={busy} />
      </Group>
    </form>
  )
}

interface ResultProps {
  result: ReadingResult
  need: number
  onAgain: () => void
  onClose: () => void
}

function Result({ result: { score, passed, attempts }, need, onAgain, onClose }: ResultProps) {
  return (
    <>
      <Alert
        role="status"
        color={passed ? 'green' : 'red'}
        variant="light"
        icon={passed ? <IconMoodCheck size={18} /> : <IconRefresh size={18} />}
        title={passed ? 'Тест пройден' : 'Тест не пройден'}
      >
        Верных ответов: {score} %, нужно {need} %. Попыток: {attempts}.
        {!passed && ' Перечитайте шаги и попробуйте ещё раз.'}
      </Alert>
      <Group justify="flex-end" mt="md" gap={8}>
        {passed ? (
          <Button onClick={onClose}>Готово</Button>
        ) : (
          <>
            <ActionButton label="Перечитать" variant="default" onClick={onClose} />
            <Button onClick={onAgain}>Пройти ещё раз</Button>
          </>
        )}
      </Group>
    </>
  )
}
