import { Text, Title } from '@mantine/core'
import { violationLevels } from '@ordinator/model/areas/regulations/run'
import { stepImportances, stepStatuses, stepTypes } from '@ordinator/model/areas/regulations/step'
import type { Stage } from '@ordinator/model/areas/regulations/wire'
import { categoryOf } from '@ordinator/model/files'
import { formatFileSize, formatSpan } from '@ordinator/model/format'
import { IconAlertTriangle, IconClock } from '@tabler/icons-react'
import { type CSSProperties, useState } from 'react'
import { Lightbox, previewUrl } from '#areas/files/index.ts'
import { formatDate } from '#kit/clock.ts'
import { FileName } from '#kit/FileName.tsx'
import { fileIcon } from '#kit/fileIcon.ts'
import { Block, HStack, VStack } from '#kit/Stacks.tsx'
import { UserChip } from '#kit/UserChip.tsx'
import { Fine, Muted } from '#kit/Words.tsx'
import { RichText } from '#records/RichText.tsx'
import { Chip } from '../Chip.tsx'
import { importanceColors, stepStatusColors, stepTypeColors, violationColors, worstLevel } from '../looks.ts'
import { ScriptChips } from './ScriptChips.tsx'
import classes from './StepCard.module.css'

/** A step to read: content, files, performer, violations. */
export function StepCard({ stage, n }: { stage: Stage; n: number }) {
  const { title, status, importance, type, timeEstimate, responsible, users, violations } = stage
  const worst = worstLevel(violations)
  const color = worst ? violationColors[worst] : stepStatusColors[status]
  return (
    <li className={classes.step} style={{ '--step': `var(--mantine-color-${color}-6)` } as CSSProperties}>
      <HStack align="baseline">
        <Muted flex="none">{n}</Muted>
        <Title order={3} miw={0} flex={1} className="breaks">
          {title}
        </Title>
        {timeEstimate > 0 && (
          <HStack
            component="span"
            gap={4}
            display="inline-flex"
            c="dimmed"
            flex="none"
            className="tabular"
            title="Оценка времени"
          >
            <IconClock size={16} aria-hidden /> {formatSpan(timeEstimate * 60)}
          </HStack>
        )}
      </HStack>
      <HStack gap={6} wrap>
        <Chip color={stepStatusColors[status]}>{stepStatuses[status]}</Chip>
        <Chip color={importanceColors[importance]} outline>
          Важность: {stepImportances[importance].toLowerCase()}
        </Chip>
        <Chip color={stepTypeColors[type]} outline>
          {stepTypes[type]}
        </Chip>
        {worst && (
          <Chip color={violationColors[worst]} icon={<IconAlertTriangle size={12} aria-hidden />}>
            Нарушений: {violations.length}
          </Chip>
        )}
      </HStack>
      <StepContent stage={stage} />
      {(responsible || users.length > 0) && (
        <HStack gap="6px 12px" wrap>
          {responsible && <Muted flex="none">Выполняет: {responsible}</Muted>}
          {users.map((user) => (
            <UserChip key={user.id} user={user} />
          ))}
        </HStack>
      )}
      {violations.length > 0 && (
        <Block component="ul" rule="top" pt={8} aria-label={`Нарушения шага ${n}`}>
          {violations.map(({ id, level, description, dateCreate }) => (
            <li key={id} className={classes.violation}>
              <Chip color={violationColors[level]}>{violationLevels[level]}</Chip>
              <Text span inherit miw={0} flex="1 1 172px" className="breaks">
                {description}
              </Text>
              <Muted flex="none">{formatDate(dateCreate)}</Muted>
            </li>
          ))}
        </Block>
      )}
    </li>
  )
}

/** Content of a step: text, pictures, documents, scripts. */
export function StepContent({ stage }: { stage: Stage }) {
  return (
    <>
      <RichText html={stage.description} />
      <Images images={stage.images} title={stage.title} />
      <Documents documents={stage.documents} />
      <ScriptChips scripts={stage.scriptNames} />
    </>
  )
}

function Images({ images, title }: { images: Stage['images']; title: string }) {
  const [looking, setLooking] = useState<number>()
  if (images.length === 0) return null
  const pictures = images.map(({ id, url, description }, at) => ({
    id,
    name: description || `${title}: картинка ${at + 1}`,
    url: previewUrl({ url }, 'large'),
    download: `${url}?download=1`,
  }))
  return (
    <>
      <HStack component="ul" align="stretch" wrap aria-label="Картинки">
        {images.map(({ id, url, description }, at) => (
          <VStack key={id} component="li" gap={4} w={160}>
            <button
              type="button"
              aria-label={`Посмотреть: ${pictures[at]?.name}`}
              className={classes.look}
              onClick={() => setLooking(id)}
            >
              <img src={previewUrl({ url }, 'small')} alt="" loading="lazy" decoding="async" />
            </button>
            {description && <Fine className="breaks">{description}</Fine>}
          </VStack>
        ))}
      </HStack>
      {looking !== undefined && (
        <Lightbox pictures={pictures} id={looking} onLook={setLooking} onClose={() => setLooking(undefined)} />
      )}
    </>
  )
}

function Documents({ documents }: { documents: Stage['documents'] }) {
  if (documents.length === 0) return null
  return (
    <ul aria-label="Документы">
      {documents.map(({ id, url, name, size, extension }) => {
        const Icon = fileIcon(categoryOf(extension))
        return (
          <HStack key={id} component="li" mih={28}>
            <Icon size={18} stroke={1.5} aria-hidden />
            <a href={url} target="_blank" rel="noopener" className={classes.link}>
              <FileName name={name} />
            </a>
            <Muted flex="none">{formatFileSize(size)}</Muted>
          </HStack>
        )
      })}
    </ul>
  )
}
