import 'react-easy-crop/react-easy-crop.css'
import '@mantine/core/styles/Slider.layer.css'
import { Button, Group, Modal, Slider, Text } from '@mantine/core'
import { useEffect, useState } from 'react'
import Cropper, { type Area } from 'react-easy-crop'
import { notify } from '../../../kit/notify.tsx'
import { useReturnFocus } from '../../../kit/useReturnFocus.ts'
import classes from './Profile.module.css'

const SIDE = 512
const MAX_ZOOM = 4

interface Props {
  file: File
  busy: boolean
  onCancel: () => void
  onDone: (cropped: Blob) => void
}

/** Chooses the round part of a picture: by dragging, the wheel, or the arrows and the slider. */
export default function AvatarCrop({ file, busy, onCancel, onDone }: Props) {
  useReturnFocus()
  const [address, setAddress] = useState<string>()
  const [crop, setCrop] = useState({ x: 0, y: 0 })
  const [zoom, setZoom] = useState(1)
  const [area, setArea] = useState<Area>()
  useEffect(() => {
    const url = URL.createObjectURL(file)
    setAddress(url)
    return () => URL.revokeObjectURL(url)
  }, [file])
  const done = async () => {
    if (!address || !area) return
    try {
      onDone(await cut(address, area))
    } catch {
      notify.error('Картинка повреждена или имеет неподдерживаемый формат', {
        title: 'Не удалось загрузить аватар пользователя',
      })
      onCancel()
    }
  }
  return (
    <Modal opened onClose={onCancel} title="Фотография" size={480} closeOnClickOutside={false}>
      <div className={classes.crop}>
        {address && (
          <Cropper
            image={address}
            crop={crop}
            zoom={zoom}
            maxZoom={MAX_ZOOM}
            aspect={1}
            cropShape="round"
            showGrid={false}
            onCropChange={setCrop}
            onZoomChange={setZoom}
            onCropComplete={(_, pixels) => setArea(pixels)}
            cropperProps={{ role: 'group', 'aria-label': 'Область фотографии, сдвигается стрелками' } as never}
          />
        )}
      </div>
      <Text size="xs" c="dimmed" mt="md" mb={4} id="avatar-zoom">
        Масштаб
      </Text>
      <Slider
        value={zoom}
        onChange={setZoom}
        min={1}
        max={MAX_ZOOM}
        step={0.05}
        label={null}
        thumbProps={{ 'aria-labelledby': 'avatar-zoom' }}
      />
      <Group justify="flex-end" mt="lg">
        <Button variant="default" onClick={onCancel}>
          Отмена
        </Button>
        <Button loading={busy} onClick={() => void done()}>
          Сохранить
        </Button>
      </Group>
    </Modal>
  )
}

async function cut(address: string, { x, y, width, height }: Area): Promise<Blob> {
  const image = new Image()
  image.src = address
  await image.decode()
  const canvas = document.createElement('canvas')
  canvas.width = SIDE
  canvas.height = SIDE
  const context = canvas.getContext('2d') as CanvasRenderingContext2D
  context.imageSmoothingQuality = 'high'
  context.drawImage(image, x, y, width, height, 0, 0, SIDE, SIDE)
  return new Promise((resolve, reject) => {
    canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error('No picture'))), 'image/png')
  })
}
