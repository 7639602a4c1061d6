import type { ScriptUses } from '@ordinator/model/areas/scripts/calls'
import { OldScript } from '@ordinator/model/areas/scripts/script'
import type { Row } from '@ordinator/model/entity'
import { counted } from '@ordinator/model/format'
import { useQueryClient } from '@tanstack/react-query'
import { errorMessage } from '#base/apiError.ts'
import { records } from '#base/client.ts'
import { confirm } from '#kit/confirm.ts'
import { notify } from '#kit/notify.tsx'
import { invalidateRecords } from '#records/keys.ts'
import { useRemove } from '#records/writes.ts'
import { readUses } from './UsedBy.tsx'

type Named = Pick<Row<typeof OldScript>, 'id' | 'name'>

const MAX_NAME = 255
const COPY = ' (копия)'
/** Maximum names in the confirmation. */
const MAX_NAMED = 5

/** Copies and deletes scripts. */
export function useScriptActs() {
  const client = useQueryClient()
  const { mutate } = useRemove(OldScript, { sure: true })
  return {
    async copy({ id }: Named): Promise<void> {
      try {
        const { name, active, description, idGroup, params } = await records.view(OldScript, id)
        const named = name.slice(0, MAX_NAME - COPY.length) + COPY
        await records.create(OldScript, { name: named, active, description, idGroup, params })
        notify.success(`Создан «${named}»`)
      } catch (error) {
        notify.error(errorMessage(error))
      } finally {
        await invalidateRecords(client, OldScript.path)
      }
    },
    /** Confirms deletion of used scripts; false: nothing was deleted. */
    async remove(scripts: readonly Named[]): Promise<boolean> {
      const used: string[] = []
      try {
        for (const script of scripts) {
          const words = wordsOf(await readUses(script.id))
          if (words) used.push(`«${script.name}»: ${words}`)
        }
      } catch (error) {
        notify.error(errorMessage(error))
        return false
      }
      const question = {
        title: 'Скрипт используется',
        message: [
          ...used.slice(0, MAX_NAMED),
          ...(used.length > MAX_NAMED ? [`и ещё ${used.length - MAX_NAMED}`] : []),
        ].join('\n'),
        confirm: 'Удалить',
        danger: true,
      }
      if (used.length && !(await confirm(question))) return false
      mutate(scripts.map(({ id }) => id))
      return true
    },
  }
}

/** «воронки «Первичные»; 2 шага регламентов «Приём»»; '' without uses. */
function wordsOf({ funnels, steps, hidden }: ScriptUses): string {
  const countFunnels = funnels.length + hidden.funnels
  const countSteps = steps.length + hidden.steps
  const named = (all: string[]) => {
    const names = [...new Set(all)]
    const shown = names.slice(0, MAX_NAMED).map((name) => `«${name}»`)
    return shown.length ? ` (${shown.join(', ')}${names.length > MAX_NAMED ? ' …' : ''})` : ''
  }
  return [
    countFunnels && counted(countFunnels, ['воронка', 'воронки', 'воронок']) + named(funnels.map(({ name }) => name)),
    countSteps &&
      counted(countSteps, ['шаг регламента', 'шага регламентов', 'шагов регламентов']) +
        named(steps.map(({ regulation }) => regulation)),
  ]
    .filter(Boolean)
    .join('; ')
}
