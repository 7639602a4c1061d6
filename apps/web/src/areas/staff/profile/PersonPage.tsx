export default function PersonPage() {
  return null
}
