export default function MovingPage() {
  return null
}
