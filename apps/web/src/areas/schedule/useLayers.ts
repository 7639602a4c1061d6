import { holds } from '@ordinator/model/access'
import { usePreference } from '#base/preferences.ts'
import { useActor } from '#base/session.ts'

/** Layers of the grid. */
export const layers = {
  visits: 'Записи',
  shifts: 'Смены и перерывы',
  absences: 'Отпуска и больничные',
  events: 'Обучение и совещания',
  special: 'Особые дни филиала',
  tasks: 'Задачи врачей',
} as const
export type Layer = keyof typeof layers
export type Layers = Readonly<Record<Layer, boolean>>

/** Visible layers, stored with the account. */
export function useLayers(): [Layers, toggle: (layer: Layer) => void, showAll: () => void] {
  const [shown, set] = usePreference('calendar-layers', read, 'account')
  return [shown, (layer) => set({ ...shown, [layer]: !shown[layer] }), () => set(read(undefined))]
}

/** Layers with content for the user. */
export function useLayerNames(): Layer[] {
  const tasks = holds(useActor(), 'viewTasksManagement')
  return (Object.keys(layers) as Layer[]).filter((layer) => layer !== 'tasks' || tasks)
}

function read(stored: unknown): Layers {
  const kept = (stored ?? {}) as Partial<Layers>
  const names = Object.keys(layers) as Layer[]
  return Object.fromEntries(names.map((layer) => [layer, kept[layer] !== false])) as Layers
}
