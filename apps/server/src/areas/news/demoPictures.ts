const WIDTH = 1280
const HEIGHT = 800

/** A picture without text for the demo clinic: light of the hue (0–360) over soft shapes, written to `path` as JPEG. */
export async function drawPicture(path: string, hue: number): Promise<void> {
  const tone = (turn: number, light: number) => `hsl(${(hue + turn) % 360} 45% ${light}%)`
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${HEIGHT}">
    <defs>
      <linearGradient id="sky" x1="0" y1="0" x2="1" y2="1">
        <stop offset="0" stop-color="${tone(0, 82)}"/><stop offset="1" stop-color="${tone(40, 58)}"/>
      </linearGradient>
    </defs>
    <rect width="100%" height="100%" fill="url(#sky)"/>
    <circle cx="${240 + (hue % 5) * 170}" cy="260" r="150" fill="${tone(60, 92)}" opacity=".7"/>
    <path d="M0 600 Q320 ${430 + (hue % 7) * 20} 640 580 T1280 540 V800 H0Z" fill="${tone(20, 46)}" opacity=".75"/>
    <path d="M0 700 Q400 ${590 + (hue % 3) * 30} 800 690 T1280 660 V800 H0Z" fill="${tone(-15 + 360, 34)}" opacity=".85"/>
  </svg>`
  // A server without the demo clinic works without the library.
  const { default: sharp } = await import('sharp')
  await sharp(Buffer.from(svg)).jpeg({ quality: 82 }).toFile(path)
}
