import { Box, Input, Switch } from '@mantine/core'
import { scriptGraph } from '@ordinator/model/areas/scripts/graph'
import { MAX_STEPS, type ScriptStep } from '@ordinator/model/areas/scripts/script'
import { IconPlayerPlay, IconPlus } from '@tabler/icons-react'
import { useCallback, useDeferredValue, useMemo, useRef, useState } from 'react'
import { useWatch } from 'react-hook-form'
import { ActionButton } from '#kit/ActionButton.tsx'
import { EmptyState } from '#kit/EmptyState.tsx'
import { notify } from '#kit/notify.tsx'
import { SidePanel } from '#kit/SidePanel.tsx'
import { HStack, VStack } from '#kit/Stacks.tsx'
import { Muted } from '#kit/Words.tsx'
import type { InputProps } from '#records/fields/ui.ts'
import { ScriptWalk } from '../ScriptWalk.tsx'
import classes from './Conversation.module.css'
import { ScriptFindings } from './ScriptFindings.tsx'
import { ScriptMap } from './ScriptMap.tsx'
import type { StepActs } from './StepActs.ts'
import { StepForm } from './StepForm.tsx'
import { StepList } from './StepList.tsx'
import { changed, newStep, replaced, without } from './steps.ts'

/** Editor of a script's `params`: ordered steps, the open one, and a map of answers. */
export function Conversation({ value, onChange, error, label, readOnly = false }: InputProps) {
  const steps = useMemo(() => (value as { steps?: ScriptStep[] } | null)?.steps ?? [], [value])
  const [selected, setSelected] = useState<string>()
  const [walking, setWalking] = useState(false)
  const [wide, setWide] = useState(false)
  const description = useWatch({ name: 'description' }) as string | null
  /** Deferred, so that typing stays fast. */
  const drawn = useDeferredValue(steps)
  const graph = useMemo(() => scriptGraph(drawn), [drawn])
  const acts = useStepActs(steps, (next) => onChange({ steps: next }), setSelected)
  const open = steps.find(({ key }) => key === selected) ?? steps[0]
  const full = steps.length >= MAX_STEPS
  const addButton = (
    <ActionButton
      label="Добавить шаг"
      variant="default"
      icon={IconPlus}
      disabled={full}
      title={full ? `Не больше ${MAX_STEPS} шагов` : undefined}
      onClick={() => acts.add()}
    />
  )
  return (
    <VStack component="section" gap={12} miw={0} aria-labelledby="script-conversation">
      <HStack gap="8px 12px" wrap>
        <h2 id="script-conversation">{label}</h2>
        <Muted>
          {steps.length} / {MAX_STEPS}
        </Muted>
        <Box component="span" flex={1} />
        {steps.length > 1 && (
          <Switch
            className={classes.wide}
            label="Карта во всю ширину"
            checked={wide}
            onChange={(event) => setWide(event.currentTarget.checked)}
          />
        )}
        <ActionButton
          label="Проверить разговор"
          variant="light"
          icon={IconPlayerPlay}
          disabled={steps.length === 0}
          onClick={() => setWalking(true)}
        />
      </HStack>
      {error && <Input.Error role="alert">{error}</Input.Error>}
      {steps.length === 0 || !open ? (
        <EmptyState
          title="Шагов пока нет"
          text="Шаг — что сказать и какие бывают ответы. Каждый ответ ведёт к другому шагу или заканчивает разговор."
          action={!readOnly && addButton}
        />
      ) : (
        <>
          <ScriptFindings steps={drawn} graph={graph} onSelect={acts.select} />
          <div className={classes.columns} data-wide={wide || undefined}>
            <VStack miw={0}>
              <StepList steps={steps} graph={graph} selected={open.key} readOnly={readOnly} acts={acts} />
              {!readOnly && addButton}
            </VStack>
            <StepForm
              key={open.key}
              step={open}
              at={steps.indexOf(open)}
              steps={drawn}
              graph={graph}
              readOnly={readOnly}
              acts={acts}
            />
            <ScriptMap steps={drawn} graph={graph} selected={open.key} onSelect={acts.select} />
          </div>
        </>
      )}
      {walking && (
        <SidePanel opened title="Проверка разговора" onClose={() => setWalking(false)}>
          <VStack gap={12}>
            <ScriptWalk script={{ description, params: { steps } }} />
          </VStack>
        </SidePanel>
      )}
    </VStack>
  )
}

function useStepActs(
  steps: ScriptStep[],
  write: (steps: ScriptStep[]) => void,
  select: (key: string | undefined) => void,
): StepActs {
  const latest = useRef({ steps, write })
  latest.current = { steps, write }
  /** Synchronous changes build on each other. */
  const set = useCallback((next: ScriptStep[]) => {
    latest.current.steps = next
    latest.current.write(next)
  }, [])
  return useMemo<StepActs>(() => {
    const now = () => latest.current.steps
    return {
      select,
      add(title) {
        if (now().length >= MAX_STEPS) return undefined
        const step = newStep(title || `Шаг ${now().length + 1}`)
        set([...now(), step])
        if (!title) select(step.key)
        return step.key
      },
      change: (key, patch) => set(changed(now(), key, patch)),
      remove(key) {
        const before = now()
        const at = before.findIndex((step) => step.key === key)
        const gone = before[at]
        if (!gone) return
        set(without(before, key))
        select(before[at + 1]?.key ?? before[at - 1]?.key)
        notify.undo(`Удалён шаг «${gone.title}»`, () => {
          set(before)
          select(key)
        })
      },
      copy(key) {
        const at = now().findIndex((step) => step.key === key)
        const source = now()[at]
        if (!source || now().length >= MAX_STEPS) return
        const step = { ...source, key: newStep('').key }
        set(now().toSpliced(at + 1, 0, step))
        select(step.key)
      },
      put: (id, place) => set(replaced(now(), id, place)),
    }
  }, [select, set])
}
