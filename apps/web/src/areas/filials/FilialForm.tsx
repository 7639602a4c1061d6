import { Anchor } from '@mantine/core'
import type { Filial } from '@ordinator/model/areas/filials/filial'
import type { Row } from '@ordinator/model/entity'
import type { ClipboardEvent } from 'react'
import { useFormContext, useWatch } from 'react-hook-form'
import { PictureInput } from '#areas/files/index.ts'
import { FormPart } from '#kit/FormPart.tsx'
import { Tiles, VStack } from '#kit/Stacks.tsx'
import { RecordField } from '#records/form/RecordField.tsx'
import { FeedbackToken } from './FeedbackToken.tsx'
import { FilialZone } from './FilialZone.tsx'
import { pointOf } from './point.ts'

/** Form of a branch (spec §3), for creating and editing. */
export function FilialForm({ filial }: { filial: Row<typeof Filial> | undefined }) {
  return (
    <VStack gap={16} maw={960}>
      <FormPart title="Филиал">
        <RecordField name="nameFilial" autoFocus={!filial} />
        <RecordField name="shortFilialName" />
        <RecordField name="filialCode" />
        <RecordField name="labelColor" />
        <RecordField name="active" />
        <RecordField name="activeForShop" />
      </FormPart>
      <FormPart title="Адрес и связь">
        <RecordField name="filialAddressFact" />
        <RecordField name="filialAddress" />
        <RecordField name="cityName" />
        <RecordField name="regionName" />
        <RecordField name="filialPhone" />
        <MapPoint />
      </FormPart>
      <FormPart title="Когда открыт">
        <RecordField name="workingHours" />
        {filial ? <FilialZone filial={filial} /> : <RecordField name="timeZone" />}
      </FormPart>
      <FormPart title="Картинки">
        <RecordField name="cardImage" input={PictureInput} help="В списке филиалов на сайте" />
        <RecordField name="backgroundImage" input={PictureInput} help="За страницей филиала" />
      </FormPart>
      <FormPart title="Внешние системы">
        <RecordField name="departmentOID" />
        <RecordField name="mdlpPlace" />
        <RecordField name="cdekPVZ" />
        <RecordField name="externalCode" />
        <RecordField name="idClient" />
        {filial ? <FeedbackToken filial={filial} /> : <RecordField name="feedbackToken" />}
      </FormPart>
    </VStack>
  )
}

/** Coordinates: typed, or pasted as copied from a map. */
function MapPoint() {
  const form = useFormContext()
  const [latitude, longitude] = useWatch({ name: ['latitude', 'longitude'] })
  const isPoint = typeof latitude === 'number' && typeof longitude === 'number'
  const onPaste = (event: ClipboardEvent) => {
    const point = pointOf(event.clipboardData.getData('text'))
    if (!point) return
    event.preventDefault()
    const options = { shouldDirty: true, shouldValidate: true }
    form.setValue('latitude', point.latitude, options)
    form.setValue('longitude', point.longitude, options)
  }
  return (
    <Tiles tile={240} fit gap="12px 16px" data-wide>
      <div onPasteCapture={onPaste}>
        <RecordField name="latitude" help="Можно вставить точку целиком: 53.195878, 50.100202" />
      </div>
      <div onPasteCapture={onPaste}>
        <RecordField
          name="longitude"
          help={isPoint ? undefined : 'Её копируют из карт: правая кнопка мыши на здании'}
        />
        {isPoint && (
          <Anchor
            size="xs"
            display="inline-block"
            lh="24px"
            href={`https://yandex.ru/maps/?pt=${longitude},${latitude}&z=17`}
            target="_blank"
            rel="noopener noreferrer"
          >
            Показать на карте
          </Anchor>
        )}
      </div>
    </Tiles>
  )
}
