import { Alert, Box, Button, Checkbox, Group, Stack } from '@mantine/core'
import type { RegulationImport } from '@ordinator/model/areas/regulations/wire'
import { counted } from '@ordinator/model/format'
import { IconAlertTriangle } from '@tabler/icons-react'
import { useState } from 'react'
import { ActionButton } from '#kit/ActionButton.tsx'
import { stepForms } from '../words.ts'
import type { FormToolProps } from './FormToolProps.ts'
import classes from './ImportPreview.module.css'

const pictureForms = ['картинка', 'картинки', 'картинок'] as const

interface Props extends FormToolProps {
  found: RegulationImport
  onBack: () => void
  onClose: () => void
}

/** Preview of an imported document: chosen steps are added to the form. */
export function ImportPreview({ found: { name, description, stages, warnings }, acts, isNew, onBack, onClose }: Props) {
  const [chosen, setChosen] = useState<ReadonlySet<number>>(() => new Set(stages.keys()))
  const [withHead, setWithHead] = useState(isNew)
  const toggle = (at: number, on: boolean) => {
    const next = new Set(chosen)
    if (on) next.add(at)
    else next.delete(at)
    setChosen(next)
  }
  const add = () => {
    if (withHead) acts.change({ ...(name && { name }), ...(description && { description }) })
    const steps = stages
      .filter((_, at) => chosen.has(at))
      .map((step) => ({ ...step, images: step.images.map((image) => ({ ...image, description: null })) }))
    if (steps.length) acts.add(steps)
    onClose()
  }
  return (
    <Stack gap="sm">
      {warnings.length > 0 && (
        <Alert color="yellow" icon={<IconAlertTriangle size={18} />} title="Перенесено не всё">
          <Box component="ul" pl={16}>
            {warnings.map((warning) => (
              <li key={warning}>{warning}</li>
            ))}
          </Box>
        </Alert>
      )}
      <Checkbox
        label={description ? 'Взять название и описание' : 'Взять название'}
        description={[name, description].filter(Boolean).join('. ').slice(0, 200)}
        checked={withHead}
        onChange={(event) => setWithHead(event.currentTarget.checked)}
      />
      <Checkbox
        label={`Все шаги: выбрано ${chosen.size} из ${stages.length}`}
        checked={chosen.size === stages.length}
        indeterminate={chosen.size > 0 && chosen.size < stages.length}
        onChange={(event) => setChosen(new Set(event.currentTarget.checked ? stages.keys() : []))}
      />
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a list that scrolls must be reached by the keyboard */}
      <ol className={classes.steps} tabIndex={0} aria-label="Шаги документа">
        {stages.map(({ title, description, images }, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the steps of a document keep their places
          <li key={at}>
            <Checkbox
              label={title}
              description={[textOf(description), images.length > 0 && counted(images.length, pictureForms)]
                .filter(Boolean)
                .join(' · ')}
              checked={chosen.has(at)}
              onChange={(event) => toggle(at, event.currentTarget.checked)}
            />
          </li>
        ))}
      </ol>
      <Group justify="flex-end" gap={8}>
        <ActionButton label="Другой файл" variant="default" onClick={onBack} />
        <Button disabled={chosen.size === 0} onClick={add}>
          Добавить в регламент{chosen.size > 0 && `: ${counted(chosen.size, stepForms)}`}
        </Button>
      </Group>
    </Stack>
  )
}

/** Plain start of a description. */
function textOf(html: string): string {
  const spaced = html.replace(/<\/(p|li|h\d|td|th)>/g, ' $&')
  return (new DOMParser().parseFromString(spaced, 'text/html').body.textContent ?? '').trim().slice(0, 160)
}
