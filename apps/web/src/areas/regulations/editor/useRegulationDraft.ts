import type { RegulationView } from '@ordinator/model/areas/regulations/wire'
import { useEffect, useMemo, useReducer, useState } from 'react'
import { useDraft } from '#base/draft.ts'
import type { SortPlace } from '#kit/useSortable.ts'
import { type DraftErrors, draftOf, newStep, placed, type RegulationDraft, type StepDraft } from './draft.ts'

interface State {
  draft: RegulationDraft
  /** Keys of open steps. */
  open: ReadonlySet<number>
  errors: DraftErrors
  dirty: boolean
}

type Act =
  | { kind: 'change'; patch: Partial<RegulationDraft> }
  | { kind: 'changeStep'; key: number; patch: StepPatch }
  | { kind: 'add'; steps: readonly Partial<StepDraft>[] }
  | { kind: 'remove'; key: number }
  | { kind: 'put'; key: number; place: SortPlace }
  | { kind: 'open'; keys: readonly number[]; on: boolean }
  | { kind: 'errors'; errors: DraftErrors }
  | { kind: 'begin'; draft: RegulationDraft; dirty: boolean }

/** A patch, or a function of the current step: an upload may end after other changes. */
export type StepPatch = Partial<StepDraft> | ((now: StepDraft) => Partial<StepDraft>)

/** Actions of the form. A stable object, so that unchanged steps are not rendered again. */
export interface DraftActs {
  change: (patch: Partial<RegulationDraft>) => void
  changeStep: (key: number, patch: StepPatch) => void
  add: (steps: readonly Partial<StepDraft>[]) => void
  remove: (key: number) => void
  put: (key: number, place: SortPlace) => void
  open: (keys: readonly number[], on: boolean) => void
  setErrors: (errors: DraftErrors) => void
  begin: (draft: RegulationDraft, dirty?: boolean) => void
}

interface Kept {
  draft: RegulationDraft
  /** Version of the regulation that the edit is based on. */
  version: number | undefined
}

/** The edited regulation, kept as a draft in the browser. */
export function useRegulationDraft(view: RegulationView | undefined) {
  const kept = useDraft<Kept>(`regulation:${view?.id ?? 'new'}`)
  const [found] = useState(kept.found)
  const [version, setVersion] = useState(found ? found.value.version : view?._version)
  const [restored, setRestored] = useState(found?.at)
  const [state, dispatch] = useReducer(reduce, undefined, () => started(found?.value.draft ?? draftOf(view), !!found))
  const acts = useMemo<DraftActs>(
    () => ({
      change: (patch) => dispatch({ kind: 'change', patch }),
      changeStep: (key, patch) => dispatch({ kind: 'changeStep', key, patch }),
      add: (steps) => dispatch({ kind: 'add', steps }),
      remove: (key) => dispatch({ kind: 'remove', key }),
      put: (key, place) => dispatch({ kind: 'put', key, place }),
      open: (keys, on) => dispatch({ kind: 'open', keys, on }),
      setErrors: (errors) => dispatch({ kind: 'errors', errors }),
      begin: (draft, dirty = false) => dispatch({ kind: 'begin', draft, dirty }),
    }),
    [],
  )
  useEffect(() => {
    if (state.dirty) kept.keep({ draft: state.draft, version })
  }, [state.dirty, state.draft, version, kept])
  return {
    ...state,
    acts,
    version,
    restored,
    /** Restarts from the server's state, and drops the draft. */
    startFrom(now: RegulationView | undefined) {
      kept.drop()
      setRestored(undefined)
      setVersion(now?._version)
      acts.begin(draftOf(now))
    },
    forget: () => kept.drop(),
  }
}

const started = (draft: RegulationDraft, dirty: boolean): State => ({ draft, open: new Set(), errors: {}, dirty })

function reduce(state: State, act: Act): State {
  const { draft, open, errors } = state
  switch (act.kind) {
    case 'change':
      return {
        ...state,
        draft: { ...draft, ...act.patch },
        errors: without(errors, Object.keys(act.patch)),
        dirty: true,
      }
    case 'changeStep':
      return withSteps(
        state,
        draft.stages.map((step) =>
          step.key === act.key ? { ...step, ...(typeof act.patch === 'function' ? act.patch(step) : act.patch) } : step,
        ),
        typeof act.patch === 'object' && 'title' in act.patch
          ? without(errors, [`stages.${draft.stages.findIndex(({ key }) => key === act.key)}.title`])
          : errors,
      )
    case 'add': {
      const first = Math.max(0, ...draft.stages.map(({ key }) => key)) + 1
      const added = act.steps.map((step, at) => ({ ...newStep(first + at), ...step, id: null, key: first + at }))
      const one = added.length === 1 ? added[0] : undefined
      const next = withSteps(state, [...draft.stages, ...added], errors)
      return one ? { ...next, open: new Set([...open, one.key]) } : next
    }
    case 'remove':
      return withSteps(
        state,
        draft.stages.filter(({ key }) => key !== act.key),
        ofRegulation(errors),
      )
    case 'put':
      return withSteps(state, placed(draft.stages, act.key, act.place), ofRegulation(errors))
    case 'open': {
      const keys = new Set(open)
      for (const key of act.keys) {
        if (act.on) keys.add(key)
        else keys.delete(key)
      }
      return { ...state, open: keys }
    }
    case 'errors': {
      const wrong = draft.stages.filter((_, at) =>
        Object.keys(act.errors).some((name) => name.startsWith(`stages.${at}.`)),
      )
      return { ...state, errors: act.errors, open: new Set([...open, ...wrong.map(({ key }) => key)]) }
    }
    case 'begin':
      return { ...started(act.draft, act.dirty), open }
  }
}

const withSteps = (state: State, stages: StepDraft[], errors: DraftErrors): State => ({
  ...state,
  draft: { ...state.draft, stages },
  errors,
  dirty: true,
})

const without = (errors: DraftErrors, names: readonly string[]): DraftErrors =>
  Object.fromEntries(Object.entries(errors).filter(([name]) => !names.includes(name)))

/** Step errors are indexed by position: cleared when positions change. */
const ofRegulation = (errors: DraftErrors): DraftErrors =>
  Object.fromEntries(Object.entries(errors).filter(([name]) => !name.startsWith('stages.')))
