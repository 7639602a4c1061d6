import 'react-easy-crop/react-easy-crop.css'
import '@mantine/core/styles/Slider.layer.css'
import { Slider } from '@mantine/core'
import { useEffect, useState } from 'react'
import Cropper, { type Area } from 'react-easy-crop'
import { ActionDialog } from '#kit/ActionDialog.tsx'
import { Fine } from '#kit/Words.tsx'
import classes from './Profile.module.css'

const SIDE = 512
const MAX_ZOOM = 4

interface Props {
  file: File
  onCancel: () => void
  onDone: (cropped: Blob) => Promise<unknown>
}

/** Crops a round picture: by dragging, the wheel, or the arrows and the slider. */
export default function AvatarCrop({ file, onCancel, onDone }: Props) {
  const [address, setAddress] = useState<string>()
  const [crop, setCrop] = useState({ x: 0, y: 0 })
  const [zoom, setZoom] = useState(1)
  const [area, setArea] = useState<Area>()
  useEffect(() => {
    const url = URL.createObjectURL(file)
    setAddress(url)
    return () => URL.revokeObjectURL(url)
  }, [file])
  const run = async () => {
    if (!address || !area) return false
    let cropped: Blob
    try {
      cropped = await cut(address, area)
    } catch {
      throw new Error('Картинка повреждена или имеет неподдерживаемый формат')
    }
    await onDone(cropped)
  }
  return (
    <ActionDialog
      title="Фотография"
      size={480}
      closeOnClickOutside={false}
      action="Сохранить"
      failed="Не удалось загрузить аватар пользователя"
      run={run}
      onClose={onCancel}
    >
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
            cropperProps={{ role: 'group', 'aria-label': 'Область фотографии, сдвигается стрелками' }}
          />
        )}
      </div>
      <Fine component="p" mt="md" mb={4} id="avatar-zoom">
        Масштаб
      </Fine>
      <Slider
        value={zoom}
        onChange={setZoom}
        min={1}
        max={MAX_ZOOM}
        step={0.05}
        label={null}
        thumbProps={{ 'aria-labelledby': 'avatar-zoom' }}
      />
    </ActionDialog>
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
