// Icons of collections by their Lucide names. Those that sites use; another name gets the one for documents.

import {
  Book, BookOpen, Briefcase, Building, Calendar, CircleHelp, Clapperboard, FileText, Folder, Globe, GraduationCap, Heart, Home, Image, Layers, Link, Mail,
  MapPin, Megaphone, MessageSquare, Mic, Music, Newspaper, NotebookPen, Package, Pencil, Puzzle, Quote, ShoppingBag, Star, Tag, User, Users, Utensils, Video,
  type LucideIcon,
} from "lucide-react";

const ICONS: Record<string, LucideIcon> = {
  book: Book, "book-open": BookOpen, briefcase: Briefcase, building: Building, calendar: Calendar, "circle-help": CircleHelp, clapperboard: Clapperboard,
  "file-text": FileText, folder: Folder, globe: Globe, "graduation-cap": GraduationCap, heart: Heart, home: Home, house: Home, image: Image, layers: Layers, link: Link,
  mail: Mail, "map-pin": MapPin, megaphone: Megaphone, "message-square": MessageSquare, mic: Mic, music: Music, newspaper: Newspaper, "notebook-pen": NotebookPen,
  package: Package, pencil: Pencil, puzzle: Puzzle, quote: Quote, "shopping-bag": ShoppingBag, star: Star, tag: Tag, user: User, users: Users, utensils: Utensils,
  video: Video,
};

/** The names of the icons that are offered: one for each icon. */
export const ICON_NAMES = Object.keys(ICONS).filter((name) => name !== "home");

/** The icon of a collection. */
export function collectionIcon(name: string | null): LucideIcon {
  return (name && ICONS[name.replace(/(.)([A-Z])/g, "$1-$2").toLowerCase()]) || FileText;
}
